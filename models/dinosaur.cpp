// SPDX-License-Identifier: Apache-2.0
// A sauropod of rubber, 0.475 m long: the head at +x, the feet on z = 0. One closed surface, the zero of a
// field, flat under the feet.
#include "models/fields.h"
#include "models/isosurface.h"
#include "models/models.h"

#include <algorithm>
#include <cmath>

namespace limber::models {
namespace {

using Eigen::Vector3d;

// All of this file is in mm; dinosaur() turns it into m. It is symmetric in y: one side is described.

constexpr double kFillet = 0.4;  // the fillet between the pieces of a chain
constexpr double kFar = 16;      // more than any fillet or cell of the grid reaches

// A piece of a limb, within `reach` of `centre`.
struct Span {
    Chain beads;
    Vector3d centre;
    double reach;
};
using Limb = std::vector<Span>;

// A span from each bead to the next, made smooth.
Limb limb(const Chain& rough) {
    constexpr int kSteps = 8;
    const Chain fine = smooth(rough, kSteps);
    Limb out;
    for (auto first = fine.begin(); fine.end() - first > kSteps; first += kSteps) {
        Span span{{first, first + kSteps + 1}, (first->at + first[kSteps].at) / 2, 0};
        for (const Bead& bead : span.beads)
            span.reach = std::max(span.reach, (bead.at - span.centre).norm() + bead.radius);
        out.push_back(std::move(span));
    }
    return out;
}

// At most kFar: what is farther need not be known, which spares most of the work.
double field_of(const Limb& limb, const Vector3d& p) {
    double least = kFar;
    for (const Span& span : limb) {
        const double near = span.reach + kFar;
        const double x = p.x() - span.centre.x(), y = p.y() - span.centre.y(), z = p.z() - span.centre.z();
        if (x * x + y * y + z * z > near * near) continue;
        least = join(least, models::field_of(span.beads, p, kFillet), kFillet);
    }
    return least;
}

double field(const Vector3d& at) {
    // From the tip of the tail over the back to the shoulders and up the neck.
    static const Limb kSpine = limb({{{-262, 0, 84}, 5},
                                     {{-220, 0, 62}, 8},
                                     {{-172, 0, 56}, 12},
                                     {{-126, 0, 66}, 18},
                                     {{-84, 0, 84}, 28},
                                     {{-38, 0, 98}, 40},
                                     {{14, 0, 100}, 42},
                                     {{58, 0, 104}, 32},
                                     {{92, 0, 124}, 21},
                                     {{116, 0, 154}, 15},
                                     {{132, 0, 190}, 12},
                                     {{150, 0, 222}, 11}});
    static const Limb kHead = limb({{{152, 0, 228}, 14}, {{172, 0, 228}, 14}, {{198, 0, 219}, 10}});
    static const Limb kForeleg =
        limb({{{50, 20, 88}, 20}, {{56, 29, 52}, 15}, {{52, 31, 20}, 12}, {{56, 31, 6}, 14}});
    static const Limb kHindleg =
        limb({{{-44, 22, 86}, 27}, {{-36, 32, 52}, 19}, {{-48, 33, 22}, 13}, {{-42, 33, 6}, 15}});

    const Vector3d p(at.x(), std::abs(at.y()), at.z());
    const double eye = (p - Vector3d(174, 11.5, 236)).norm() - 6;
    double least = join(field_of(kSpine, p), join(field_of(kHead, p), eye, 1.5), 8);
    for (const Limb* leg : {&kForeleg, &kHindleg})
        least = join(least, field_of(*leg, p), 12);
    return std::max(least, -p.z());
}

}  // namespace

build::SurfaceMesh dinosaur(double cell) {
    const Vector3d margin = Vector3d::Constant(2000 * cell);
    const Eigen::AlignedBox3d box(Vector3d(-268, -52, 0) - margin, Vector3d(209, 52, 246) + margin);
    build::SurfaceMesh mesh = isosurface(field, box, 1000 * cell);
    for (Vector3d& v : mesh.vertices)
        v *= 1e-3;
    return mesh;
}

}  // namespace limber::models
