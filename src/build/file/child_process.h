// SPDX-License-Identifier: Apache-2.0
// What a child process does first. No process of limber outlives the one that started it.
// Both functions make only calls that are safe after the fork of a program with threads.
#pragma once
#include <sys/types.h>

namespace limber::build {

// In the child, right after fork(): the kernel kills it when its parent ends, however that ends. `parent` is
// the getpid() of before the fork; a parent that is gone already is noticed too. Holds across exec; a child
// of the child needs its own call. The kernel watches the thread that called fork(), so that thread waits for
// the child.
void end_with_parent(pid_t parent);

// Signals as a new program has them: none blocked, and the parent's handlers gone, which would remove the
// parent's files.
void restore_default_signals();

}  // namespace limber::build
