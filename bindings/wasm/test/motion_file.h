// SPDX-License-Identifier: Apache-2.0
// What the native library writes for the tests in Node to compare with: models, and numbers one after the
// other.
#pragma once
#include <limber/model/model_file.h>
#include <limber/world/session.h>

#include <Eigen/Core>
#include <fstream>

namespace limber::test {

class MotionFile {
 public:
    explicit MotionFile(const char* name) : out_(name, std::ios::binary) {}
    template <class Vector>
    void add(const Vector& numbers) {
        const Eigen::VectorXd doubles = numbers.template cast<double>();
        out_.write(reinterpret_cast<const char*>(doubles.data()),
                   static_cast<std::streamsize>(sizeof(double)) * doubles.size());
    }
    void add_world(const World& world) {
        for (const WorldBody& body : world.bodies()) {
            add(body.q());
            add(body.v());
            add(Eigen::Vector2d(body.kinetic_energy(), body.elastic_energy()));
            add(body.pose().position);
            add(body.pose().orientation.coeffs());
        }
    }
    bool good() const { return bool(out_); }

 private:
    std::ofstream out_;
};

// Writes a model and adds it as the file has it: the basis of the surface and modes to warp are floats there.
inline Status add_model(Session& session, const char* name, const Model& model, const char* file) {
    const Result<ModelBytes> written = write_model(model);
    if (!written.ok()) return written.error();
    std::ofstream(file, std::ios::binary) << written.value().bytes;
    const auto read = read_model(written.value().bytes, file);
    if (!read.ok()) return read.error();
    session.add_model(name, read.value());
    return {};
}

}  // namespace limber::test
