// SPDX-License-Identifier: Apache-2.0
// Soft bodies in JavaScript: limber's run-time library, compiled to WebAssembly. Works in Node, in a page and in
// a worker; needs no SharedArrayBuffer. Types and documentation: limber.d.ts.

/** What limber says about input that it cannot take. */
export class LimberError extends Error {
  constructor({ where, problem, try_this: tryThis }) {
    super(`${where}: ${problem}${tryThis ? ` (try: ${tryThis})` : ''}`);
    this.name = 'LimberError';
    this.where = where;
    this.problem = problem;
    this.tryThis = tryThis;
  }
}

const kProblems = ['none', 'time-step', 'not-solved', 'blow-up'];

// The few system calls that the C library may make: no files, no environment.
function systemCalls(memory) {
  const kBadFile = 8, kNotSupported = 58;
  return {
    clock_time_get: (_clock, _precision, out) => {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(out, nanoseconds, true);
      return 0;
    },
    fd_close: () => kBadFile,
    fd_fdstat_get: () => kBadFile,
    fd_seek: () => kBadFile,
    fd_write: () => kBadFile,
    environ_get: () => kNotSupported,
    environ_sizes_get: () => kNotSupported,
    proc_exit: (code) => {
      throw new Error(`limber ended with code ${code}`);
    },
  };
}

/** Instantiates the module from its bytes, a compiled module, or a response that brings it. */
export async function loadLimber(source) {
  let exports = null;
  const imports = { wasi_snapshot_preview1: systemCalls(() => exports.memory) };
  const bytes = typeof Response !== 'undefined' && source instanceof Response ? await source.arrayBuffer() : source;
  const made = await WebAssembly.instantiate(bytes, imports);
  exports = (made.instance ?? made).exports;
  exports._initialize();
  return new Limber(exports);
}

class Limber {
  #exports;
  constructor(exports) {
    this.#exports = exports;
  }

  /** Reads the bytes of a model.glb. */
  loadModel(bytes) {
    const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const memory = new Memory(this.#exports);
    const handle = memory.withBytes(view, (at) => this.#exports.limber_load(at, view.length));
    if (!handle) throw memory.error();
    return new Model(memory, handle);
  }
}

// The module's memory. It may move when it grows, so no view is kept.
class Memory {
  constructor(exports) {
    this.exports = exports;
  }
  view(Type, at, length) {
    return new Type(this.exports.memory.buffer, at, length);
  }
  text(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }
  error() {
    return new LimberError(JSON.parse(this.text(this.exports.limber_error())));
  }
  withMemory(bytes, use) {
    const at = this.exports.limber_alloc(Math.max(bytes, 1));
    if (!at) throw new LimberError({ where: 'memory', problem: `${bytes} bytes are not to be had`, try_this: '' });
    try {
      return use(at);
    } finally {
      this.exports.limber_free(at);
    }
  }
  withBytes(bytes, use) {
    return this.withMemory(bytes.length, (at) => {
      this.view(Uint8Array, at, bytes.length).set(bytes);
      return use(at);
    });
  }
  withJson(value, use) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return this.withBytes(bytes, (at) => use(at, bytes.length));
  }
  withNumbers(numbers, use) {
    return this.withMemory(8 * numbers.length, (at) => {
      this.view(Float64Array, at, numbers.length).set(numbers);
      return use(at);
    });
  }
  // A copy of `length` numbers that fill(at) writes.
  filled(Type, length, fill) {
    return this.withMemory(Type.BYTES_PER_ELEMENT * length, (at) => {
      fill(at);
      return this.view(Type, at, length).slice();
    });
  }
}

function numbersOf(list, count, where) {
  if (list.length !== count)
    throw new LimberError({ where, problem: `${list.length} numbers were given; ${count} are needed`, try_this: '' });
  return list;
}

// `make(at)` makes the steps, writes six numbers about the last one and returns how many were made.
function stepReport(memory, make) {
  let steps = 0;
  const numbers = memory.filled(Float64Array, 6, (at) => {
    steps = make(at);
  });
  const [converged, problem, iterations, residual, shifts, lineSearches] = numbers;
  return { steps, converged: converged === 1, problem: kProblems[problem], iterations, residual, shifts, lineSearches };
}

class Model {
  #memory;
  #handle;
  constructor(memory, handle) {
    this.#memory = memory;
    this.#handle = handle;
    /** What the model is: rank, groups, counts, frequencies. */
    this.info = Object.freeze(JSON.parse(memory.text(memory.exports.limber_model_json(handle))));
  }
  get rank() {
    return this.info.rank;
  }

  restPositions() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices, (at) =>
      this.#memory.exports.limber_model_positions(this.#alive(), at));
  }
  triangles() {
    return this.#memory.filled(Int32Array, 3 * this.info.triangles, (at) =>
      this.#memory.exports.limber_model_triangles(this.#alive(), at));
  }
  surfaceBasis() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.rank, (at) =>
      this.#memory.exports.limber_model_basis(this.#alive(), at));
  }

  restNormals() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices, (at) =>
      this.#memory.exports.limber_model_normals(this.#alive(), at));
  }
  inputVertices() {
    return this.#memory.filled(Int32Array, this.info.vertices, (at) =>
      this.#memory.exports.limber_model_input_vertices(this.#alive(), at));
  }
  warpModes() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.info.warp_modes, (at) =>
      this.#memory.exports.limber_model_warp_modes(this.#alive(), at));
  }
  warpRotations() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.info.warp_modes, (at) =>
      this.#memory.exports.limber_model_warp_rotations(this.#alive(), at));
  }
  simulationMesh() {
    const exports = this.#memory.exports;
    const handle = this.#alive();
    const [vertices, edges, fixed] = this.#memory.filled(Int32Array, 3, (at) => exports.limber_volume_counts(handle, at));
    return {
      edges: this.#memory.view(Int32Array, exports.limber_volume_edges(), 2 * edges).slice(),
      positions: this.#memory.filled(Float32Array, 3 * vertices, (at) => exports.limber_volume_positions(handle, at)),
      fixedVertices: this.#memory.filled(Int32Array, fixed, (at) => exports.limber_volume_fixed(handle, at)),
      basis: this.#memory.filled(Float32Array, 3 * vertices * this.rank, (at) => exports.limber_volume_basis(handle, at)),
    };
  }

  createWarpBody(settings = {}) {
    const handle = this.#memory.withJson(settings, (at, size) =>
      this.#memory.exports.limber_warp_create(this.#alive(), at, size));
    if (!handle) throw this.#memory.error();
    return new WarpBody(this.#memory, handle, this.info);
  }
  createBody(settings = {}) {
    const handle = this.#memory.withJson(settings, (at, size) =>
      this.#memory.exports.limber_body_create(this.#alive(), at, size));
    if (!handle) throw this.#memory.error();
    return new Body(this.#memory, handle, this.info);
  }

  /** Gives the memory back; bodies made of it live on. */
  destroy() {
    if (this.#handle) this.#memory.exports.limber_model_destroy(this.#handle);
    this.#handle = 0;
  }
  #alive() {
    if (!this.#handle) throw new Error('the model was destroyed');
    return this.#handle;
  }
}

class Body {
  #memory;
  #handle;
  #info;
  constructor(memory, handle, info) {
    this.#memory = memory;
    this.#handle = handle;
    this.#info = info;
  }

  clone() {
    return new Body(this.#memory, this.#memory.exports.limber_body_clone(this.#alive()), this.#info);
  }
  destroy() {
    if (this.#handle) this.#memory.exports.limber_body_destroy(this.#handle);
    this.#handle = 0;
  }

  get settings() {
    return JSON.parse(this.#memory.text(this.#memory.exports.limber_body_settings(this.#alive())));
  }
  set(settings) {
    this.#check(this.#memory.withJson(settings, (at, size) =>
      this.#memory.exports.limber_body_set(this.#alive(), at, size)));
  }

  step(dt, count = 1) {
    const handle = this.#alive();
    return stepReport(this.#memory, (at) => this.#memory.exports.limber_body_step(handle, dt, count, at));
  }
  setFrame(frame) {
    this.#check(this.#memory.withJson(frame, (at, size) =>
      this.#memory.exports.limber_body_set_frame(this.#alive(), at, size)));
  }

  get state() {
    const r = this.#info.rank;
    const all = this.#memory.filled(Float64Array, 1 + 3 * r, (at) =>
      this.#memory.exports.limber_body_state(this.#alive(), at));
    return { time: all[0], q: all.slice(1, 1 + r), v: all.slice(1 + r, 1 + 2 * r), a: all.slice(1 + 2 * r) };
  }
  set state({ time = 0, q, v, a }) {
    const r = this.#info.rank;
    const zeros = new Float64Array(r);
    const numbers = [time, ...numbersOf(q ?? zeros, r, 'state q'), ...numbersOf(v ?? zeros, r, 'state v'),
      ...numbersOf(a ?? zeros, r, 'state a')];
    this.#check(this.#memory.withNumbers(numbers, (at) =>
      this.#memory.exports.limber_body_set_state(this.#alive(), at)));
  }
  setAccelerationFromForces() {
    this.#memory.exports.limber_body_set_acceleration(this.#alive());
  }

  clearForces() {
    this.#memory.exports.limber_body_clear_forces(this.#alive());
  }
  addForce(vertex, [x, y, z]) {
    this.#check(this.#memory.exports.limber_body_add_force(this.#alive(), vertex, x, y, z));
  }
  addReducedForce(force) {
    this.#check(this.#memory.withNumbers(numbersOf(force, this.#info.rank, 'force'), (at) =>
      this.#memory.exports.limber_body_add_reduced_force(this.#alive(), at)));
  }

  get kineticEnergy() {
    return this.#memory.exports.limber_body_kinetic_energy(this.#alive());
  }
  get elasticEnergy() {
    return this.#memory.exports.limber_body_elastic_energy(this.#alive());
  }
  get stableDt() {
    return this.#memory.exports.limber_body_stable_dt(this.#alive());
  }

  surfaceDisplacement() {
    const at = this.#memory.exports.limber_body_displacement(this.#alive());
    return this.#memory.view(Float32Array, at, 3 * this.#info.vertices).slice();
  }
  surfaceNormals() {
    const at = this.#memory.exports.limber_body_normals(this.#alive());
    return this.#memory.view(Float32Array, at, 3 * this.#info.vertices).slice();
  }

  #alive() {
    if (!this.#handle) throw new Error('the body was destroyed');
    return this.#handle;
  }
  #check(done) {
    if (!done) throw this.#memory.error();
  }
}

class WarpBody {
  #memory;
  #handle;
  #info;
  constructor(memory, handle, info) {
    this.#memory = memory;
    this.#handle = handle;
    this.#info = info;
  }

  clone() {
    return new WarpBody(this.#memory, this.#memory.exports.limber_warp_clone(this.#alive()), this.#info);
  }
  destroy() {
    if (this.#handle) this.#memory.exports.limber_warp_destroy(this.#handle);
    this.#handle = 0;
  }

  get settings() {
    return JSON.parse(this.#memory.text(this.#memory.exports.limber_warp_settings(this.#alive())));
  }
  set(settings) {
    this.#tell('limber_warp_set', settings);
  }

  step(dt, count = 1) {
    const handle = this.#alive();
    return stepReport(this.#memory, (at) => this.#memory.exports.limber_warp_step(handle, dt, count, at));
  }

  get state() {
    const m = this.#info.warp_modes;
    const all = this.#memory.filled(Float64Array, 1 + 2 * m, (at) =>
      this.#memory.exports.limber_warp_state(this.#alive(), at));
    return { time: all[0], q: all.slice(1, 1 + m), v: all.slice(1 + m) };
  }
  set state({ time = 0, q, v }) {
    const m = this.#info.warp_modes;
    const zeros = new Float64Array(m);
    const numbers = [time, ...numbersOf(q ?? zeros, m, 'state q'), ...numbersOf(v ?? zeros, m, 'state v')];
    this.#check(this.#memory.withNumbers(numbers, (at) =>
      this.#memory.exports.limber_warp_set_state(this.#alive(), at)));
  }

  setFrame(frame) {
    this.#tell('limber_warp_set_frame', frame);
  }
  clearForces() {
    this.#memory.exports.limber_warp_clear_forces(this.#alive());
  }
  addForce(vertex, [x, y, z]) {
    this.#check(this.#memory.exports.limber_warp_add_force(this.#alive(), vertex, x, y, z));
  }
  addModalForce(force) {
    this.#check(this.#memory.withNumbers(numbersOf(force, this.#info.warp_modes, 'force'), (at) =>
      this.#memory.exports.limber_warp_add_modal_force(this.#alive(), at)));
  }

  setManipulation(manipulation) {
    this.#tell('limber_warp_set_manipulation', manipulation);
  }
  movePosition(position, [x, y, z]) {
    this.#check(this.#memory.exports.limber_warp_move_position(this.#alive(), position, x, y, z));
  }
  turnOrientation(orientation, [x, y, z, w]) {
    this.#check(this.#memory.exports.limber_warp_turn_orientation(this.#alive(), orientation, x, y, z, w));
  }
  get manipulationReport() {
    const [position_error, orientation_error, iterations, share] = this.#memory.filled(Float64Array, 4, (at) =>
      this.#memory.exports.limber_warp_manipulation_report(this.#alive(), at));
    return { position_error, orientation_error, iterations, share };
  }

  get kineticEnergy() {
    return this.#memory.exports.limber_warp_kinetic_energy(this.#alive());
  }
  get elasticEnergy() {
    return this.#memory.exports.limber_warp_elastic_energy(this.#alive());
  }

  surfaceDisplacement() {
    const at = this.#memory.exports.limber_warp_displacement(this.#alive());
    return this.#memory.view(Float32Array, at, 3 * this.#info.vertices).slice();
  }
  surfaceNormals() {
    const at = this.#memory.exports.limber_warp_normals(this.#alive());
    return this.#memory.view(Float32Array, at, 3 * this.#info.vertices).slice();
  }

  #tell(name, value) {
    this.#check(this.#memory.withJson(value, (at, size) => this.#memory.exports[name](this.#alive(), at, size)));
  }
  #alive() {
    if (!this.#handle) throw new Error('the body was destroyed');
    return this.#handle;
  }
  #check(done) {
    if (!done) throw this.#memory.error();
  }
}
