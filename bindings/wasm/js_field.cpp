// SPDX-License-Identifier: Apache-2.0
// A callback of the C interface that calls JavaScript: the import limber.field.
#include "bindings/c/limber.h"

extern "C" __attribute__((import_module("limber"), import_name("field"))) int32_t limber_import_field(
    void* user, size_t frame, double* out, size_t count);

limber_field limber_js_field(void) {
    return [](void* user, size_t frame, double* out, size_t count) {
        return limber_import_field(user, frame, out, count);
    };
}
