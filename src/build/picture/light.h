// SPDX-License-Identifier: Apache-2.0
// Light from a wide sky and a soft box, with the shadows that the surfaces cast. Every direction from which
// light comes has a map of the surfaces nearest to it; a point is lit from there if none stands before it.
#pragma once
#include "build/picture/camera.h"
#include "build/picture/scene.h"

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace limber::build {

class Light {
 public:
    // casts_shadow: per surface of the scene. map_side: texels along a side of each map.
    Light(const DrawnScene& scene, const std::vector<bool>& casts_shadow, const Camera& camera,
          const Eigen::Vector3d& up, int map_side);

    // Light that a matt white point would send out, 0 to about 1.3, and the share of the soft box it sees.
    struct Received {
        float diffuse = 0, key_visible = 1;
    };
    // flat: normal of the triangle, smooth: the one to shade with; both on the viewer's side, of length one.
    Received at(const Eigen::Vector3f& point, const Eigen::Vector3f& flat,
                const Eigen::Vector3f& smooth) const;
    // What is left of the light on the floor under the lowest point, 0..1; 1 away from everything.
    float on_floor(const Eigen::Vector3d& point) const;
    double floor_height() const { return floor_height_; }  // along `up`

    const Eigen::Vector3f& key() const { return key_; }

 private:
    struct Map {
        Eigen::Vector3f toward, across, along;  // the light comes from `toward`
        float weight;                           // diffuse light per cosine
        bool of_key;
        std::vector<std::uint16_t> height;  // largest height along `toward`, from -reach to reach; 0: nothing
    };
    std::vector<Map> maps_;
    int side_, floor_side_;  // texels along a side of the maps and of the floor's
    float reach_;            // all points are nearer to the origin
    Eigen::Vector3f up_, key_, fill_, rim_;
    double floor_height_ = 0;
    Eigen::Vector3f floor_x_, floor_y_;
    float floor_reach_ = 1;     // half of the floor map's side
    std::vector<float> floor_;  // floor_side_^2
    bool shadows_ = false;

    void fill_map(Map& map, const DrawnScene& scene, const std::vector<bool>& casts_shadow) const;
    void fill_floor();
    float visible(const Map& map, const Eigen::Vector3f& point) const;
    float height_unit() const { return 2 * reach_ / 65534; }
};

}  // namespace limber::build
