// SPDX-License-Identifier: Apache-2.0
// limber_figures FOLDER: Figures 4, 5, 6 and 11 of Choi & Ko 2005 as SVG, their numbers as CSV.
#include "benchmarks/warping_figures.h"
#include "build/validate/svg_plot.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numbers>

namespace limber::bench {
namespace {

using build::PlotLine;
using build::PlotOptions;
using build::svg_plot;

// Orange, blue, purple and black differ for every kind of colour vision; the shades go with the resolution.
const std::array<std::string, 3> kLinear{"#f2b48c", "#e07b39", "#a04000"};
const std::array<std::string, 3> kLocal{"#9ccbee", "#3a8fd0", "#004c8c"};
const std::string kWarped = "#b0307f";
const std::string kNonlinear = "#000000";

// A bar with all that is found out about it.
struct Study {
    PaperBar bar;
    std::string name;  // "11x3x3"
    std::vector<Balance> balances{};
    std::vector<Vibration> vibrations{};
    std::vector<double> angles_deg{};
    std::vector<CommutationError> commutation{};
};

constexpr std::array<double, 11> kGravities{1, 2, 4, 6, 8, 9.8, 12, 14, 16, 18, 20};  // m/s²
constexpr std::array<double, 4> kShown{6, 9.8, 14, 20};                               // of them, in Figure 4

Study study(std::array<int, 3> nodes) {
    Study out{.bar = paper_bar(nodes), .name = fmt::format("{}x{}x{}", nodes[0], nodes[1], nodes[2])};
    out.balances = balances(out.bar, {kGravities.begin(), kGravities.end()});
    for (const double gravity : kGravities)
        out.vibrations.push_back(vibration(out.bar, gravity));
    for (int degrees = 0; degrees <= 90; degrees += 10) {
        out.angles_deg.push_back(degrees);
        out.commutation.push_back(commutation_error(out.bar, degrees * std::numbers::pi / 180));
    }
    return out;
}

// One value of each element of a list.
template <class List, class Value>
std::vector<double> column(const List& list, Value value) {
    std::vector<double> out;
    for (const auto& row : list)
        out.push_back(value(row));
    return out;
}

// The outline of the bar's front side y = 0 in the plane of bending.
PlotLine outline(const PaperBar& bar, const Eigen::VectorXd& u, double moved_by) {
    const auto [nx, ny, nz] = bar.nodes;
    PlotLine line;
    const auto add = [&](int i, int k) {
        const Eigen::Index v = i + nx * (Eigen::Index(ny) * k);
        line.x.push_back(bar.model.mesh().vertices[std::size_t(v)].x() + u[3 * v] + moved_by);
        line.y.push_back(bar.model.mesh().vertices[std::size_t(v)].z() + u[3 * v + 2]);
    };
    for (int i = 0; i < nx; ++i)
        add(i, 0);
    for (int k = 1; k < nz; ++k)
        add(nx - 1, k);
    for (int i = nx - 2; i >= 0; --i)
        add(i, nz - 1);
    for (int k = nz - 2; k >= 0; --k)
        add(0, k);
    return line;
}

// As wide and high as keeps the bars' proportions.
std::string figure_4(const Study& fine) {
    constexpr double kApart = 1.25, kPixelsPerMetre = 220;
    std::vector<PlotLine> lines;
    double place = 0;
    for (const Balance& balance : fine.balances) {
        if (std::find(kShown.begin(), kShown.end(), balance.gravity) == kShown.end()) continue;
        for (const auto& [name, color, shape] :
             {std::tuple("linear modes", kLinear[1], &balance.linear),
              std::tuple("warping", kLocal[1], &balance.local),
              std::tuple("with companions", kWarped, &balance.warped),
              std::tuple("nonlinear FEM", kNonlinear, &balance.nonlinear)}) {
            PlotLine line = outline(fine.bar, shape->u, place);
            if (place == 0) line.name = name;
            line.color = color;
            line.dashed = shape == &balance.nonlinear;  // on top: the others show between
            lines.push_back(std::move(line));
        }
        place += kApart;
    }
    double left = 0, right = 0, low = 0, high = 0;
    for (const PlotLine& line : lines) {
        left = std::min(left, *std::min_element(line.x.begin(), line.x.end()));
        right = std::max(right, *std::max_element(line.x.begin(), line.x.end()));
        low = std::min(low, *std::min_element(line.y.begin(), line.y.end()));
        high = std::max(high, *std::max_element(line.y.begin(), line.y.end()));
    }
    return svg_plot(lines, {.x_label = fmt::format("x (m); from left to right {} m/s², {} m apart",
                                                   fmt::join(kShown, ", "), kApart),
                            .y_label = "z (m)",
                            .width = int(94 + kPixelsPerMetre * (right - left)),
                            .height = int(72 + kPixelsPerMetre * (high - low))});
}

// `value(row, method)` over gravity for all bars; method 0: linear modes, 1: warping, 2: with companions,
// 3: nonlinear.
template <class Rows, class Value>
std::string over_gravity(const std::vector<Study>& studies, Rows rows, int methods, Value value,
                         const std::string& y_label) {
    std::vector<PlotLine> lines;
    for (int method = 0; method < methods; ++method)
        for (std::size_t s = 0; s < studies.size(); ++s) {
            if (method > 1 && s + 1 < studies.size()) continue;  // the finest stands for all
            const std::string of = method == 0 ? "linear " : "warping ";
            lines.push_back(
                {.name = method == 3   ? "nonlinear"
                         : method == 2 ? "companions"
                                       : of + studies[s].name,
                 .color = method == 0   ? kLinear[s]
                          : method == 1 ? kLocal[s]
                          : method == 2 ? kWarped
                                        : kNonlinear,
                 .x = column(rows(studies[s]), [](const auto& row) { return row.gravity; }),
                 .y = column(rows(studies[s]), [&](const auto& row) { return 100 * value(row, method); }),
                 .dashed = method == 3});
        }
    return svg_plot(lines, {.x_label = "gravity (m/s²)", .y_label = y_label, .width = 1180});
}

std::string figure_6b(const Study& fine, double gravity) {
    const auto shown = std::find_if(fine.vibrations.begin(), fine.vibrations.end(),
                                    [&](const Vibration& v) { return v.gravity == gravity; });
    return svg_plot({{"nonlinear FEM", kNonlinear, shown->time, shown->nonlinear},
                     {"linear modes", kLinear[1], shown->time, shown->linear},
                     {"warping", kLocal[2], shown->time, shown->local, true},
                     {"with companions", kWarped, shown->time, shown->warped, true}},
                    {.x_label = "time (s)", .y_label = "mean displacement (m)"});
}

std::string figure_11(const std::vector<Study>& studies) {
    std::vector<PlotLine> lines;
    for (const bool spectral : {true, false})
        for (std::size_t s = 0; s < studies.size(); ++s)
            lines.push_back({fmt::format("{} {}", spectral ? "spectral" : "Frobenius", studies[s].name),
                             spectral ? kLocal[s] : kLinear[s], studies[s].angles_deg,
                             column(studies[s].commutation, [&](const CommutationError& e) {
                                 return 100 * (spectral ? e.spectral : e.frobenius);
                             })});
    return svg_plot(lines, {.x_label = "turn of the tip in the first mode (degrees)",
                            .y_label = "error / total mass (%)",
                            .width = 1060});
}

void write(const std::filesystem::path& file, const std::string& text) {
    fmt::output_file(file.string()).print("{}", text);
    fmt::print("written: {}\n", file.string());
}

// On white, for pages that are dark.
void write_plot(const std::filesystem::path& file, std::string svg) {
    svg.insert(svg.find('>') + 1, "\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    write(file, svg);
}

std::string csv(const std::vector<Study>& studies) {
    std::string out =
        "nodes,gravity,linear_error,local_error,warped_error,linear_volume,local_volume,warped_volume,"
        "nonlinear_volume,linear_vibration_error,local_vibration_error,warped_vibration_error\n";
    for (const Study& s : studies)
        for (std::size_t i = 0; i < s.balances.size(); ++i) {
            const Balance& b = s.balances[i];
            const Vibration& v = s.vibrations[i];
            const std::array<double, 10> values{b.linear.error,
                                                b.local.error,
                                                b.warped.error,
                                                b.linear.volume_change,
                                                b.local.volume_change,
                                                b.warped.volume_change,
                                                b.nonlinear.volume_change,
                                                v.linear_error,
                                                v.local_error,
                                                v.warped_error};
            out += fmt::format("{},{}", s.name, b.gravity);
            for (const double value : values)
                out += fmt::format(",{:.5g}", value);
            out += "\n";
        }
    return out;
}

std::string commutation_csv(const std::vector<Study>& studies) {
    std::string out = "nodes,tip_angle_deg,spectral,frobenius\n";
    for (const Study& s : studies)
        for (std::size_t i = 0; i < s.angles_deg.size(); ++i)
            out += fmt::format("{},{},{:.5g},{:.5g}\n", s.name, s.angles_deg[i], s.commutation[i].spectral,
                               s.commutation[i].frobenius);
    return out;
}

void make_figures(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    std::vector<Study> studies;
    for (const std::array<int, 3> nodes : {std::array{11, 3, 3}, std::array{19, 4, 4}, std::array{21, 5, 5}})
        studies.push_back(study(nodes));
    const auto statics = [](const Study& s) -> const auto& {
        return s.balances;
    };
    const auto dynamics = [](const Study& s) -> const auto& {
        return s.vibrations;
    };
    const auto shape = [](const Balance& b, int method) -> const Shape& {
        return method == 0 ? b.linear : method == 1 ? b.local : method == 2 ? b.warped : b.nonlinear;
    };
    write_plot(folder / "warping_figure_4.svg", figure_4(studies.back()));
    write_plot(folder / "warping_figure_5a.svg",
               over_gravity(
                   studies, statics, 3, [&](const Balance& b, int m) { return shape(b, m).error; },
                   "displacement error (%)"));
    write_plot(folder / "warping_figure_5b.svg",
               over_gravity(
                   studies, statics, 4, [&](const Balance& b, int m) { return shape(b, m).volume_change; },
                   "change of volume (%)"));
    write_plot(folder / "warping_figure_6a.svg",
               over_gravity(
                   studies, dynamics, 3,
                   [](const Vibration& v, int m) {
                       return m == 0 ? v.linear_error : m == 1 ? v.local_error : v.warped_error;
                   },
                   "displacement error (%)"));
    write_plot(folder / "warping_figure_6b.svg", figure_6b(studies.back(), 9.8));
    write_plot(folder / "warping_figure_11.svg", figure_11(studies));
    write(folder / "warping_gravity.csv", csv(studies));
    write(folder / "warping_commutation.csv", commutation_csv(studies));
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: limber_figures FOLDER\n";
        return 1;
    }
    try {
        limber::bench::make_figures(argv[1]);
    } catch (const limber::InputError& error) {
        std::cerr << "error: " << error.where << ": " << error.problem << "\n";
        return 1;
    } catch (const std::exception& problem) {
        std::cerr << "error: " << problem.what() << "\n";
        return 2;
    }
    return 0;
}
