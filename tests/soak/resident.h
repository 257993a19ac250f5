// SPDX-License-Identifier: Apache-2.0
// What the process takes of the memory of the machine.
#pragma once
#include <fstream>

namespace limber::soak {

// MB.
inline double resident_memory() {
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * 4096 / 1e6;
}

}  // namespace limber::soak
