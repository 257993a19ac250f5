// SPDX-License-Identifier: Apache-2.0
// A module may wait (await) at its top in every browser that this names.
export default { build: { target: 'es2022' } };
