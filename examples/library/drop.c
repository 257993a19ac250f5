/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C. */
#include <limber.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    static char bytes[1 << 26];
    static const char add[] = "{\"add\": {\"name\": \"body\", \"model\": \"model.glb\"}}";
    const double gravity[3] = {0, 0, -9.81};
    double q[1000];
    limber_model* model;
    limber_world* world;
    FILE* file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    size_t i, count, size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (limber_model_load(bytes, size, &model) || limber_world_create(gravity, &world) ||
        limber_world_add_model(world, "model.glb", 9, model) || limber_world_apply(world, add, strlen(add)) ||
        limber_world_set_dt(world, 0.001) || limber_world_step(world, 100, NULL) ||
        limber_body_numbers_count(world, 1, LIMBER_Q, &count) ||
        limber_body_numbers(world, 1, LIMBER_Q, q, count))
        return puts(limber_error()), 1;
    for (i = 0; i < count; ++i)
        printf("%.17g\n", q[i]);
    limber_world_free(world);
    limber_model_free(model);
    return 0;
}
