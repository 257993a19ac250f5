/* SPDX-License-Identifier: Apache-2.0 */
/* The interface as a C11 program sees it. */
#include "bindings/c/limber.h"

#include <string.h>

static const char kAdd[] = "{ \"add\": { \"name\": \"spoon\", \"model\": \"m\", \"method\": \"stvk\" } }";
static const char kPull[] =
    "{ \"body\": \"spoon\", \"forces\": [{ \"vertex\": 3, \"force\": [0.2, 0, 0.1] }] }";

/* Ten steps of one body under a force; q has room for `count`. */
limber_status ten_steps_in_c(const void* bytes, size_t size, double* q, size_t count) {
    const double gravity[3] = {0, 0, -1};
    limber_model* model = NULL;
    limber_world* world = NULL;
    uint32_t body = 0;
    limber_steps steps;
    limber_status status = limber_model_load(bytes, size, &model);
    if (!status) status = limber_world_create(gravity, &world);
    if (!status) status = limber_world_add_model(world, "m", 1, model);
    if (!status) status = limber_world_apply(world, kAdd, strlen(kAdd));
    if (!status) status = limber_world_apply(world, kPull, strlen(kPull));
    if (!status) status = limber_world_set_dt(world, 0.01);
    if (!status) status = limber_world_step(world, 10, &steps);
    if (!status && steps.steps != 10) status = LIMBER_FAILED;
    if (!status) status = limber_world_find(world, "spoon", 5, &body);
    if (!status) status = limber_body_numbers(world, body, LIMBER_Q, q, count);
    if (world) limber_world_free(world);
    if (model) limber_model_free(model);
    return status;
}
