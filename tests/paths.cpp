// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.h"

namespace limber::test {

std::string source_dir() {
    return LIMBER_SOURCE_DIR;
}

std::string test_data_dir() {
    return source_dir() + "/tests/data";
}

}  // namespace limber::test
