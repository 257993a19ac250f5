// SPDX-License-Identifier: Apache-2.0
#include "build/file/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace limber::build {

void end_with_parent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before the call above; the child then has another parent.
    if (getppid() != parent) kill(getpid(), SIGKILL);
}

void restore_default_signals() {
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL);  // fails for SIGKILL, SIGSTOP and the C library's own, which is right
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace limber::build
