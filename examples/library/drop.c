/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C. */
#include <limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(limber_status status) {
    if (status == LIMBER_OK) return;
    printf("%s\n", limber_error());
    exit(1);
}

int main(int argc, char** argv) {
    static const char kAdd[] = "{\"add\": {\"name\": \"body\", \"model\": \"model.glb\"}}";
    const double gravity[3] = {0, 0, -9.81};
    double q[1000];
    size_t size, count;
    limber_model* model;
    limber_world* world;
    limber_steps steps;
    uint32_t body;
    char* bytes = malloc(1 << 28);
    FILE* file = fopen(argv[argc > 1], "rb");
    if (!bytes || !file) return 1;
    size = fread(bytes, 1, 1 << 28, file);
    fclose(file);
    check(limber_model_load(bytes, size, &model));
    check(limber_world_create(gravity, &world));
    check(limber_world_add_model(world, "model.glb", 9, model));
    check(limber_world_apply(world, kAdd, strlen(kAdd)));
    check(limber_world_set_dt(world, 0.001));
    check(limber_world_step(world, 100, &steps));
    check(limber_world_find(world, "body", 4, &body));
    check(limber_body_numbers_count(world, body, LIMBER_Q, &count));
    check(limber_body_numbers(world, body, LIMBER_Q, q, count));
    for (size = 0; size < count; ++size)
        printf("%.17g\n", q[size]);
    check(limber_world_free(world));
    check(limber_model_free(model));
    free(bytes);
    return 0;
}
