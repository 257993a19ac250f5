/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C. */
#include <limber.h>
#include <stdio.h>
#include <string.h>

static limber_status apply(limber_world* world, const char* input) {
    return limber_world_apply(world, input, strlen(input));
}

int main(int argc, char** argv) {
    static char bytes[1 << 26];
    static const char* const names[] = {"lower", "upper"};
    const double gravity[3] = {0, 0, -9.81};
    limber_model* model;
    limber_world* world;
    limber_clock clock;
    uint32_t body;
    double contacts[9], flight[10]; /* LIMBER_BODY_CONTACTS, LIMBER_FLIGHT */
    FILE* file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    size_t i, size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (limber_model_load(bytes, size, &model) || limber_world_create(gravity, &world) ||
        limber_world_add_model(world, "box", 3, model) ||
        apply(world, "{\"add_obstacle\": {\"name\": \"floor\", \"shape\": {\"plane\": {}}}}") ||
        apply(world, "{\"add\": {\"name\": \"lower\", \"model\": \"box\", \"position\": [0, 0, 0.1]}}") ||
        apply(world, "{\"add\": {\"name\": \"upper\", \"model\": \"box\", \"position\": [0, 0, 0.25]}}") ||
        limber_world_set_dt(world, 0.001))
        return puts(limber_error()), 1;
    while (!limber_world_clock(world, &clock) && clock.steps < 2000) {
        if (limber_world_step(world, 500, NULL) || limber_world_clock(world, &clock))
            return puts(limber_error()), 1;
        for (i = 0; i < 2; ++i) {
            if (limber_world_find(world, names[i], strlen(names[i]), &body) ||
                limber_body_numbers(world, body, LIMBER_BODY_CONTACTS, contacts, 9) ||
                limber_body_numbers(world, body, LIMBER_FLIGHT, flight, 10))
                return puts(limber_error()), 1;
            printf("%.1f s %s: at %.6f m, force %.4f N, weight %.4f N%s\n", clock.time, names[i], flight[3],
                   contacts[3], 9.81 * flight[0], contacts[8] != 0 ? ", asleep" : "");
        }
    }
    limber_world_free(world);
    limber_model_free(model);
    return 0;
}
