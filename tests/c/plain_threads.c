/* SPDX-License-Identifier: Apache-2.0 */
/* A limber_parallel_for in C11: threads that take the next index, as long as there is one. */
#include "bindings/c/limber.h"

#include <pthread.h>
#include <stdatomic.h>

struct job {
    limber_task task;
    void* data;
    int32_t count;
    atomic_int next;
};

static void* work(void* argument) {
    struct job* job = argument;
    for (int32_t i = job->next++; i < job->count; i = job->next++)
        job->task(job->data, i);
    return NULL;
}

enum { kMostThreads = 8 };

/* In as many threads as the context, an int32_t, says. What could not be started, limber does. */
void run_in_threads(void* threads, int32_t count, limber_task task, void* data) {
    const int32_t wanted = *(const int32_t*)threads;
    pthread_t started[kMostThreads];
    int32_t running = 0;
    struct job job = {task, data, count, 0};
    while (running < wanted && running < kMostThreads &&
           pthread_create(&started[running], NULL, work, &job) == 0)
        ++running;
    while (running > 0)
        pthread_join(started[--running], NULL);
}
