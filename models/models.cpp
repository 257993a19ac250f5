// SPDX-License-Identifier: Apache-2.0
#include "models/models.h"

#include "build/file/nearest_word.h"
#include "models/skeleton.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <algorithm>
#include <functional>

namespace limber::models {
namespace {

struct Entry {
    ModelInfo info;
    std::function<build::AnyMesh()> make;
    std::function<build::NodeTree()> motion{};  // may be empty
    std::function<SampleCut()> cut{};           // of a tree of one mesh
    std::function<SampleTree()> tree{};         // of an assembled one
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"bar",
          "a bar of 20 x 4 x 4 bricks, 1 x 0.2 x 0.2 m, of soft rubber",
          0,
          "x<1e-6",
          {.young = 1e6, .poisson = 0.3, .density = 1000}},
         [] {
             return bar({20, 4, 4}, {1, 0.2, 0.2}, BarElements::Bricks);
         }},
        {{"bar-tets",
          "the same bar with each brick cut into six tetrahedra",
          0,
          "x<1e-6",
          {.young = 1e6, .poisson = 0.3, .density = 1000}},
         [] {
             return bar({20, 4, 4}, {1, 0.2, 0.2}, BarElements::Tets);
         }},
        {{"spoon",
          "a table spoon 0.2 m long, of soft silicone so that it bends visibly; one closed surface",
          100,
          "x<xmin+0.03",
          {.young = 5e6, .poisson = 0.45, .density = 1100}},
         spoon},
        {{"bridge",
          "a suspension bridge 256 m long and 59 m high, as if of rubber; closed parts that intersect",
          128,
          "z<3 || x<xmin+6 || x>xmax-6",
          {.young = 2e7, .poisson = 0.35, .density = 1200}},
         bridge},
        {{"tower",
          "a lattice tower 300 m high, as if of rubber; closed parts that intersect",
          140,
          "z<4",
          {.young = 2e7, .poisson = 0.35, .density = 1200}},
         tower},
        {{"heart",
          "a human heart with its great vessels, 0.17 m high, hollow, of heart muscle; closed parts that "
          "intersect",
          80,
          "z>0.085",
          {.young = 5e4, .poisson = 0.45, .density = 1060}},
         heart},
        {{"jelly-box",
          "a box of jelly with round edges, 0.6 x 0.44 x 1.4 m, of bricks, held at the pelvis of a skeleton "
          "that "
          "jumps (--motion)",
          0,
          "x>-0.11 && x<0.11 && y>-0.09 && y<0.09 && z>-0.11 && z<0.11",
          {.young = 5e4, .poisson = 0.4, .density = 1000}},
         jelly_box,
         jumping_skeleton},
        {{"potbelly",
          "a man's torso with a soft belly, 0.7 m high, held at the pelvis of a skeleton that dances "
          "(--motion); "
          "one closed surface",
          16,
          "z<-0.07",
          {.young = 4e4, .poisson = 0.45, .density = 1000}},
         potbelly,
         dancing_skeleton},
        {{"dinosaur",
          "a sauropod on its four feet, 0.475 m long, of soft rubber; one closed surface",
          68,
          "z<0.008",
          {.young = 1e5, .poisson = 0.4, .density = 1000}},
         [] { return dinosaur(); }},
        {{"flower",
          "a flower 0.75 m high, a tree of 12 domains: stem, head, seven petals, two leaves",
          56,
          "z<0.02",
          {.young = 1e7, .poisson = 0.4, .density = 900},
          12},
         flower,
         {},
         flower_cut},
        {{"word",
          "the word LIMBER, 6 m long, a free tree of 11 domains: six soft letters and five rigid links",
          90,
          "none",
          {.young = 5e6, .poisson = 0.4, .density = 300},
          11},
         word,
         {},
         word_cut},
        {{"dragon",
          "a dragon 1.8 m long with horns, wings, jaw and tail, a tree of 40 domains",
          100,
          "x>-0.02 && x<0.05 && y>-0.05 && y<0.05 && z<0.30",
          {.young = 4e6, .poisson = 0.4, .density = 1000},
          40},
         dragon,
         {},
         dragon_cut},
        {{"station",
          "a space station 30 m across in free flight, a tree of 48 domains of 6 voxelized parts",
          0,
          "none",
          {.young = 2e7, .poisson = 0.3, .density = 300},
          48},
         [] { return surface_of(station()); },
         {},
         {},
         station},
        {{"oak",
          "an oak 8 m high, a tree of 1435 domains: 41 branches of 5 kinds and 1394 leaves",
          0,
          "z<0.04",
          {.young = 4e8, .poisson = 0.3, .density = 800},
          1435},
         [] { return surface_of(oak()); },
         {},
         {},
         oak},
        {{"great-oak",
          "an oak of the same parts with 20000 domains: 681 branches and 19319 leaves",
          0,
          "z<0.04",
          {.young = 4e8, .poisson = 0.3, .density = 800},
          20000},
         [] { return surface_of(great_oak()); },
         {},
         {},
         great_oak},
    };
    return kEntries;
}

const Entry& entry_of(const std::string& name) {
    const std::vector<Entry>& all = entries();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.info.name == name; });
    if (found != all.end()) return *found;

    const std::string shown = name.substr(0, 40);
    std::vector<std::string> names;
    for (const Entry& e : all)
        names.push_back(e.info.name);
    const std::string nearest = build::nearest_word(shown, names);
    throw InputError{fmt::format("model \"{}\"", shown), "there is no built-in model of that name",
                     (nearest.empty() ? "" : nearest + " is the nearest; ") + "limber models list shows all"};
}

}  // namespace

const std::vector<ModelInfo>& list() {
    static const std::vector<ModelInfo> kList = [] {
        std::vector<ModelInfo> infos;
        for (const Entry& entry : entries())
            infos.push_back(entry.info);
        return infos;
    }();
    return kList;
}

const ModelInfo& find(const std::string& name) {
    return entry_of(name).info;
}

build::AnyMesh make(const std::string& name) {
    return entry_of(name).make();
}

std::optional<SampleTree> tree(const std::string& name) {
    const auto& make_tree = entry_of(name).tree;
    return make_tree ? std::optional(make_tree()) : std::nullopt;
}

std::optional<SampleCut> cut(const std::string& name) {
    const auto& make_cut = entry_of(name).cut;
    return make_cut ? std::optional(make_cut()) : std::nullopt;
}

std::optional<build::NodeTree> motion(const std::string& name) {
    const auto& make_motion = entry_of(name).motion;
    return make_motion ? std::optional(make_motion()) : std::nullopt;
}

}  // namespace limber::models
