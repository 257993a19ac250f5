// SPDX-License-Identifier: Apache-2.0
// Where the sources and the data of the tests are. Functions, not macros on every command line: two clones of
// limber then compile the same tests by the same commands, and ccache serves the second.
#pragma once
#include <string>

namespace limber::test {

std::string source_dir();     // the root of the repository
std::string test_data_dir();  // tests/data in it

}  // namespace limber::test
