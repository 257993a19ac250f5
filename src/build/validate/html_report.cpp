// SPDX-License-Identifier: Apache-2.0
#include "build/file/xml_text.h"
#include "build/picture/camera.h"
#include "build/picture/draw.h"
#include "build/validate/report_text.h"
#include "build/validate/svg_plot.h"
#include "build/validate/validate.h"
#include "limber/reduced/modes.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

const char* const kFullColor = "#c8641e";
const char* const kReducedColor = "#1f5fa8";

std::string base64(const std::string& bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned triple = 0;
        for (std::size_t k = 0; k < 3; ++k)
            triple = triple << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : digits[triple >> (18 - 6 * k) & 63];
    }
    return out;
}

DrawnSurface displaced(const Model& model, const Eigen::VectorXd& u) {
    DrawnSurface out;
    out.mesh.vertices = model.surface.vertices;
    out.mesh.triangles.assign(model.surface.triangles.begin(), model.surface.triangles.end());
    for (std::size_t i = 0; i < out.mesh.vertices.size(); ++i)
        out.mesh.vertices[i] += u.segment<3>(static_cast<Eigen::Index>(3 * i));
    return out;
}

// One of both bodies, with the rest shape behind it; the other one, all but invisible, keeps the frame the
// same.
std::string picture(const Model& model, const Eigen::VectorXd& shown, const Eigen::VectorXd& other,
                    const Eigen::Vector3d& color) {
    std::vector<DrawnSurface> surfaces = {displaced(model, shown),
                                          displaced(model, Eigen::VectorXd::Zero(shown.size())),
                                          displaced(model, other)};
    surfaces[0].color = color;
    surfaces[1].color = {0.55, 0.60, 0.68};
    surfaces[1].opacity = 0.2;
    surfaces[2].opacity = 0.001;
    DrawOptions options;
    options.width = 480;
    options.height = 320;
    options.up = up_vector(model.up);
    options.view_from = choose_view(model.surface.vertices, options.up);
    const Image image = draw(surfaces, options);
    return fmt::format("<img width=\"480\" height=\"320\" src=\"data:image/png;base64,{}\">",
                       base64(encode_png(image, "report")));
}

std::vector<double> numbers(const Eigen::VectorXd& v) {
    return {v.begin(), v.end()};
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::string out = "<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out += "<tr>";
        for (const std::string& cell : rows[i])
            out += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", xml_text(cell));
        out += "</tr>\n";
    }
    return out + "</table>\n";
}

std::string plots(const Model& model, const Validation& test) {
    std::vector<double> times;
    for (Eigen::Index i = 0; i < test.full.signal.size(); ++i)
        times.push_back(static_cast<double>(i) * test.dt);
    std::string out = "<h2>The probe, along the push</h2>\n";
    out += svg_plot({{"full model", kFullColor, times, numbers(test.full.signal)},
                     {"reduced model", kReducedColor, times, numbers(test.reduced.signal), true}},
                    {.x_label = "time (s)", .y_label = "displacement (m)"});
    out += "<h2>Energy</h2>\n";
    out += svg_plot(
        {{"full: kinetic + elastic", kFullColor, times, numbers(test.full.kinetic + test.full.elastic)},
         {"reduced: kinetic + elastic", kReducedColor, times,
          numbers(test.reduced.kinetic + test.reduced.elastic), true},
         {"full: elastic", "#e0b080", times, numbers(test.full.elastic)},
         {"reduced: elastic", "#90b4d8", times, numbers(test.reduced.elastic), true}},
        {.x_label = "time (s)", .y_label = "energy (J)"});
    if (model.spectrum.size() == 0) return out;
    std::vector<double> index, all = numbers(model.spectrum / model.spectrum[0]);
    for (std::size_t i = 0; i < all.size(); ++i)
        index.push_back(static_cast<double>(i + 1));
    const double cut = model.rank + 0.5;
    double least = 1;
    for (const double s : all)
        if (s > 1e-14) least = std::min(least, s);
    out += "<h2>Spectrum of the shapes: what each basis vector buys</h2>\n";
    out += svg_plot({{"singular value / the largest", "#333", index, all},
                     {fmt::format("rank {}", model.rank), "#b03030", {cut, cut}, {least, 1}, true}},
                    {.x_label = "basis vector", .y_label = "singular value", .log_y = true});
    return out;
}

// Table and picture of the local compliance.
std::string compliance(const Model& model, const LocalCompliance& local) {
    std::string out = "<h2>Local compliance</h2>\n";
    if (local.points.empty()) return out + "<p>All of the surface is fixed.</p>\n";
    out += fmt::format(
        "<p>A unit force along the normal on patches of radius {:.3g} m, linear statics at rest: how far the "
        "patch moves in the reduced model, relative to the full one. 1 is exact. The worst of {} places: "
        "{}.</p>\n",
        local.radius, local.points.size(), xml_text(worst_in_words(model, local)));
    DrawnSurface drawn = displaced(model, Eigen::VectorXd::Zero(model.surface.basis.rows()));
    drawn.value = interpolated_ratios(local, model.surface.vertices);
    DrawOptions options;
    options.width = 860;
    options.height = 520;
    options.up = up_vector(model.up);
    options.view_from = choose_view(model.surface.vertices, options.up);
    options.legend = "ratio";
    out += fmt::format(
        "<p><img width=\"860\" height=\"520\" alt=\"The surface coloured by the ratio\" "
        "src=\"data:image/png;base64,{}\"><br>Between the places the colour is interpolated.</p>\n",
        base64(encode_png(draw({drawn}, options), "report")));
    std::vector<std::vector<std::string>> rows = {{"place", "full model", "reduced model", "ratio"}};
    for (const CompliancePoint& p : local.points)
        rows.push_back({fmt::format("{} ({:.4g}, {:.4g}, {:.4g}) m", place_in_words(model, p), p.position.x(),
                                    p.position.y(), p.position.z()),
                        fmt::format("{:.4g} m/N", p.full), fmt::format("{:.4g} m/N", p.reduced),
                        fmt::format("{:.3f}", p.ratio())});
    return out + table(rows);
}

}  // namespace

std::string html_report(const Model& model, const Validation& test, const std::string& file_name) {
    const std::string title = fmt::format("{}: reduced against full", xml_text(file_name));
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<style>"
        "body{{font-family:sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222}}"
        "table{{border-collapse:collapse;margin:1em 0}}td,th{{border:1px solid #ccc;padding:4px 12px;"
        "text-align:left}}img{{margin:2px}}</style></head><body>\n<h1>{}</h1>\n",
        title, title);
    if (!test.converged) out += fmt::format("<p><b>{}</b></p>\n", xml_text(test.problem));
    const double dof = 3 * static_cast<double>(model.volume_vertices);
    out += table(
        {{"", "full model", "reduced model", "error"},
         {"unknowns", fmt::format("{:.0f}", dof), fmt::format("{}", test.rank), ""},
         {"frequency", fmt::format("{:.5g} Hz", test.full.frequency_hz),
          fmt::format("{:.5g} Hz", test.reduced.frequency_hz), percent_text(test.frequency_error)},
         {"first swing", fmt::format("{:.5g} m", test.full.amplitude),
          fmt::format("{:.5g} m", test.reduced.amplitude), percent_text(test.amplitude_error)},
         {"displacement, L2 over surface and time", "", "", percent_text(test.displacement_error)},
         {"shape at matched phase, L2 over surface and time", "", "", percent_text(test.shape_error)},
         {"time of all steps", test.full.seconds > 0 ? fmt::format("{:.3g} s", test.full.seconds) : "read",
          fmt::format("{:.3g} s", test.reduced.seconds),
          test.full.seconds > 0 ? speed_text(test.full.seconds, test.reduced.seconds) : ""}});
    out += fmt::format(
        "<p>The test: a force of ({:.4g}, {:.4g}, {:.4g}) N for {:.4g} s on {} of the surface; {} steps of "
        "{:.4g} s; damping {:.4g} 1/s and {:.4g} s. Small vibrations have {:.4g} Hz.</p>\n",
        test.force.x(), test.force.y(), test.force.z(), test.push_duration,
        test.pushed.size() == 1 ? fmt::format("vertex {}", test.pushed[0])
                                : fmt::format("{} vertices", test.pushed.size()),
        test.steps, test.dt, test.alpha, test.beta, test.first_frequency_hz);
    out += compliance(model, test.local_compliance);
    out += plots(model, test);
    if (!test.instants.empty())
        out +=
            "<h2>Shapes</h2>\n<p>Left the full model, right the reduced one; the shape at rest in "
            "grey.</p>\n";
    for (const Instant& instant : test.instants)
        out += fmt::format("<p>t = {:.4g} s<br>{}{}</p>\n", instant.time,
                           picture(model, instant.full, instant.reduced, {0.80, 0.45, 0.20}),
                           picture(model, instant.reduced, instant.full, {0.20, 0.45, 0.75}));
    return out + fmt::format("<p>Built by <code>{}</code></p>\n</body></html>\n", xml_text(model.command));
}

}  // namespace limber::build
