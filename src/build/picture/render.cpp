// SPDX-License-Identifier: Apache-2.0
#include "build/picture/render.h"

#include "build/picture/color_map.h"
#include "build/picture/raster.h"

#include <tbb/parallel_for.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace limber::build {
namespace {

constexpr int kSide = 4;  // samples along a pixel's side
constexpr int kSamples = kSide * kSide;
constexpr int kBandRows = 16;       // pixels
constexpr double kEdgeWidth = 1.1;  // px, of drawn triangle edges
const Eigen::Vector3f kNoValue{0.45F, 0.45F, 0.45F};

// A corner on the screen, in samples; nearness is 1 / depth, which is affine over the screen.
struct Corner {
    Eigen::Vector2d at;
    double nearness;
};

// What the samples of a band see: the nearest face, -1 for none.
struct Seen {
    std::vector<float> nearness;
    std::vector<int> face;

    explicit Seen(std::size_t samples) : nearness(samples, 0), face(samples, -1) {}
};

class Renderer {
 public:
    Renderer(const DrawnScene& scene, const std::vector<DrawnSurface>& surfaces, const Camera& camera,
             const Light& light, const Eigen::Vector3d& up, int width, int height)
        : scene_(scene),
          surfaces_(surfaces),
          camera_(camera),
          light_(light),
          up_(up),
          width_(width),
          height_(height) {
        project_faces();
    }

    Image image() {
        Image image{width_, height_, std::vector<std::uint8_t>(3 * pixel(width_ - 1, height_ - 1) + 3)};
        tbb::parallel_for(0, band_count(), [&](int band) { draw_band(band, image); });
        return image;
    }

 private:
    const DrawnScene& scene_;
    const std::vector<DrawnSurface>& surfaces_;
    const Camera& camera_;
    const Light& light_;
    Eigen::Vector3d up_;
    int width_, height_;
    std::vector<Corner> corners_;          // per point of the scene
    std::vector<std::vector<int>> bands_;  // faces that a band may see, ascending

    int band_count() const { return (height_ + kBandRows - 1) / kBandRows; }
    std::size_t pixel(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    const DrawnSurface& surface_of(int face) const {
        return surfaces_[static_cast<std::size_t>(scene_.faces[static_cast<std::size_t>(face)].surface)];
    }

    void project_faces() {
        corners_.resize(scene_.points.size());
        bands_.resize(static_cast<std::size_t>(band_count()));
        for (std::size_t f = 0; f < scene_.faces.size(); ++f) {
            double top = height_ * kSide, bottom = 0;
            for (const int p : scene_.faces[f].points) {
                Corner& corner = corners_[static_cast<std::size_t>(p)];
                const Eigen::Vector3d seen = camera_.project(scene_.points[static_cast<std::size_t>(p)]);
                corner = {kSide * seen.head<2>(), 1 / seen.z()};
                top = std::min(top, corner.at.y());
                bottom = std::max(bottom, corner.at.y());
            }
            const double rows = kBandRows * kSide;
            const int first = std::max(0, static_cast<int>(top / rows));
            const int last = std::min(band_count() - 1, static_cast<int>(bottom / rows));
            for (int band = first; band <= last; ++band)
                bands_[static_cast<std::size_t>(band)].push_back(static_cast<int>(f));
        }
    }

    // One horizontal strip of the picture: its samples, row by row, from sample row `y0` on.
    struct Band {
        int first_row, rows;  // pixels
        SampleWindow window;
        std::size_t sample(int x, int y) const {
            return static_cast<std::size_t>(y - window.y0) * static_cast<std::size_t>(window.x1) +
                   static_cast<std::size_t>(x);
        }
        std::size_t samples() const {
            return static_cast<std::size_t>(window.x1) * static_cast<std::size_t>(window.y1 - window.y0);
        }
    };

    void draw_band(int number, Image& image) const {
        const int first = number * kBandRows, rows = std::min(kBandRows, height_ - first);
        const Band band{first, rows, {0, first * kSide, width_ * kSide, (first + rows) * kSide}};
        const std::vector<int>& faces = bands_[static_cast<std::size_t>(number)];

        Seen solid(band.samples());
        for (const int f : faces)
            if (surface_of(f).opacity >= 1) look(band, f, nullptr, solid);
        std::vector<Eigen::Vector3f> light(band.samples());  // the background first, then blended over
        for_each_pixel(band, [&](int x, int y, const std::array<std::size_t, kSamples>& samples) {
            const Eigen::Vector3f ground = background(x, y);
            for (const std::size_t s : samples)
                light[s] = ground;
        });
        shade(band, solid, 1, light);

        // Ghosts, one after the other; only the nearest layer of each, so that its inside does not show.
        for (auto f = faces.begin(); f != faces.end();) {
            const int number_of_surface = scene_.faces[static_cast<std::size_t>(*f)].surface;
            const DrawnSurface& surface = surface_of(*f);
            const auto end = std::find_if(f, faces.end(), [&](int g) {
                return scene_.faces[static_cast<std::size_t>(g)].surface != number_of_surface;
            });
            if (surface.opacity > 0 && surface.opacity < 1) {
                Seen ghost(band.samples());
                for (; f != end; ++f)
                    look(band, *f, &solid, ghost);
                shade(band, ghost, static_cast<float>(surface.opacity), light);
            }
            f = end;
        }
        write(band, light, image);
    }

    // Depth test. `before`: nothing behind what it holds is seen, nor what coincides with it.
    void look(const Band& band, int f, const Seen* before, Seen& out) const {
        const auto& p = scene_.faces[static_cast<std::size_t>(f)].points;
        const Corner &a = corners_[static_cast<std::size_t>(p[0])],
                     &b = corners_[static_cast<std::size_t>(p[1])],
                     &c = corners_[static_cast<std::size_t>(p[2])];
        rasterize(a.at, b.at, c.at, band.window, [&](int x, int y, double wa, double wb, double wc) {
            const auto nearness = static_cast<float>(wa * a.nearness + wb * b.nearness + wc * c.nearness);
            const std::size_t s = band.sample(x, y);
            if (nearness <= out.nearness[s]) return;
            if (before != nullptr && nearness <= before->nearness[s] * 1.0005F) return;
            out.nearness[s] = nearness;
            out.face[s] = f;
        });
    }

    template <class Visit>
    void for_each_pixel(const Band& band, Visit&& visit) const {
        for (int y = band.first_row; y < band.first_row + band.rows; ++y)
            for (int x = 0; x < width_; ++x) {
                std::array<std::size_t, kSamples> samples;
                for (int k = 0; k < kSamples; ++k)
                    samples[static_cast<std::size_t>(k)] =
                        band.sample(kSide * x + k % kSide, kSide * y + k / kSide);
                visit(x, y, samples);
            }
    }

    // Each face is shaded once per pixel, in the middle of the samples that see it.
    void shade(const Band& band, const Seen& seen, float opacity, std::vector<Eigen::Vector3f>& light) const {
        for_each_pixel(band, [&](int x, int y, const std::array<std::size_t, kSamples>& samples) {
            std::array<bool, kSamples> done{};
            for (std::size_t i = 0; i < kSamples; ++i) {
                const int face = seen.face[samples[i]];
                if (done[i] || face < 0) continue;
                Eigen::Vector2d middle(0, 0);
                int count = 0;
                for (std::size_t j = i; j < kSamples; ++j) {
                    if (seen.face[samples[j]] != face) continue;
                    middle += Eigen::Vector2d(kSide * x + static_cast<int>(j) % kSide + 0.5,
                                              kSide * y + static_cast<int>(j) / kSide + 0.5);
                    ++count;
                    done[j] = true;
                }
                const Eigen::Vector3f color = shade_face(face, middle / count);
                for (std::size_t j = i; j < kSamples; ++j)
                    if (seen.face[samples[j]] == face)
                        light[samples[j]] = (1 - opacity) * light[samples[j]] + opacity * color;
            }
        });
    }

    // Linear RGB, 0..1, of a face seen at a place of the screen (in samples).
    Eigen::Vector3f shade_face(int f, const Eigen::Vector2d& at) const {
        const DrawnScene::Face& face = scene_.faces[static_cast<std::size_t>(f)];
        const DrawnSurface& surface = surface_of(f);
        std::array<const Corner*, 3> corner;
        for (std::size_t k = 0; k < 3; ++k)
            corner[k] = &corners_[static_cast<std::size_t>(face.points[k])];

        // Barycentric on the screen; then in space: weight·nearness, normalised.
        const auto cross = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
            return a.x() * b.y() - a.y() * b.x();
        };
        const double area = cross(corner[1]->at - corner[0]->at, corner[2]->at - corner[0]->at);
        Eigen::Vector3d flat, weight;
        for (std::size_t k = 0; k < 3; ++k) {
            const Corner &b = *corner[(k + 1) % 3], &c = *corner[(k + 2) % 3];
            flat[static_cast<Eigen::Index>(k)] = std::clamp(cross(b.at - at, c.at - at) / area, 0.0, 1.0);
            weight[static_cast<Eigen::Index>(k)] = flat[static_cast<Eigen::Index>(k)] * corner[k]->nearness;
        }
        weight /= weight.sum();

        Eigen::Vector3f normal(0, 0, 0);
        Eigen::Vector3d point(0, 0, 0);
        double value = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double w = weight[static_cast<Eigen::Index>(k)];
            const auto p = static_cast<std::size_t>(face.points[k]);
            normal += static_cast<float>(w) * face.normals[k];
            point += w * scene_.points[p];
            value += w * scene_.values[p];
        }
        Eigen::Vector3f base = surface.color.cast<float>();
        if (!surface.value.empty()) base = std::isnan(value) ? kNoValue : color_of(value);
        if (surface.edges) base *= edge_darkening(corner, flat, area);

        const Eigen::Vector3f to_eye = (camera_.eye - point).normalized().cast<float>();
        const float side = face.flat_normal.dot(to_eye) < 0 ? -1.0F : 1.0F;  // both sides of a sheet are lit
        const Eigen::Vector3f flat_normal = side * face.flat_normal;
        Eigen::Vector3f smooth = side * normal;
        smooth = smooth.norm() > 1e-6F ? Eigen::Vector3f(smooth.normalized()) : flat_normal;

        const Light::Received received = light_.at(point.cast<float>(), flat_normal, smooth);
        const float mirror = std::max(0.0F, smooth.dot((light_.key() + to_eye).normalized()));
        const float gloss = 0.13F * std::pow(mirror, 36.0F) * received.key_visible;
        return (base * received.diffuse + Eigen::Vector3f::Constant(gloss)).unaryExpr([](float c) {
            // A soft shoulder instead of a clipped highlight.
            return c < 0.75F ? c : 0.75F + 0.25F * (1 - std::exp(-(c - 0.75F) / 0.25F));
        });
    }

    Eigen::Vector3f color_of(double value) const {
        const double range = scene_.largest_value - scene_.least_value;
        return map_color(range > 0 ? (value - scene_.least_value) / range : 0.5).cast<float>();
    }

    // Near an edge of the triangle the colour is darkened; less on triangles of a few pixels, which would
    // otherwise be nothing but edges.
    static float edge_darkening(const std::array<const Corner*, 3>& corner, const Eigen::Vector3d& flat,
                                double area) {
        double distance = 1e9, least_height = 1e9;  // px
        for (std::size_t k = 0; k < 3; ++k) {
            const double side = (corner[(k + 2) % 3]->at - corner[(k + 1) % 3]->at).norm();
            const double height = std::abs(area) / std::max(side, 1e-9) / kSide;
            distance = std::min(distance, flat[static_cast<Eigen::Index>(k)] * height);
            least_height = std::min(least_height, height);
        }
        const double line = std::clamp(kEdgeWidth / 2 + 0.5 - distance, 0.0, 1.0);
        const double strength = 0.75 * std::clamp((least_height - 2) / 8, 0.0, 1.0);
        return static_cast<float>(1 - strength * line);
    }

    // A light wall that turns into a floor; the floor takes the shadows.
    Eigen::Vector3f background(int x, int y) const {
        const double down = (y + 0.5) / height_, aside = (x + 0.5) / width_ - 0.5;
        const double glow = std::exp(-3.5 * (aside * aside + (down - 0.42) * (down - 0.42)));
        double level = 0.74 + 0.17 * glow - 0.05 * down;
        const Eigen::Vector3d ray = camera_.ray(x + 0.5, y + 0.5);
        const double fall = ray.dot(up_), height = camera_.eye.dot(up_) - light_.floor_height();
        if (height > 0 && fall < 0)
            level *= 0.12 + 0.88 * light_.on_floor(camera_.eye + ray * (height / -fall));
        return Eigen::Vector3f(0.985F, 0.993F, 1.0F) * static_cast<float>(level);
    }

    void write(const Band& band, const std::vector<Eigen::Vector3f>& light, Image& image) const {
        for_each_pixel(band, [&](int x, int y, const std::array<std::size_t, kSamples>& samples) {
            Eigen::Vector3f sum(0, 0, 0);
            for (const std::size_t s : samples)
                sum += light[s];
            sum /= kSamples;
            for (Eigen::Index k = 0; k < 3; ++k)
                image.rgb[3 * pixel(x, y) + static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(
                    std::lround(255 * std::clamp(srgb_from_linear(static_cast<double>(sum[k])), 0.0, 1.0)));
        });
    }
};

}  // namespace

Image render(const DrawnScene& scene, const std::vector<DrawnSurface>& surfaces, const Camera& camera,
             const Light& light, const Eigen::Vector3d& up, int width, int height) {
    return Renderer(scene, surfaces, camera, light, up, width, height).image();
}

}  // namespace limber::build
