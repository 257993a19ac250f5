// SPDX-License-Identifier: Apache-2.0
#include "cli/motion_files.h"

#include "build/file/xml_text.h"
#include "build/mesh_files/files.h"

#include <fmt/format.h>

namespace limber::cli {
MotionFiles::MotionFiles(const MotionFileNames& names, const build::VolumeMesh& mesh) : mesh_(mesh) {
    if (!names.vtu.empty()) vtu_stem_ = std::filesystem::path(names.vtu).replace_extension();
    if (!names.npy.empty()) npy_.emplace(names.npy, std::vector<std::size_t>{mesh.vertices.size(), 3});
    if (!names.csv.empty()) {
        csv_.emplace(names.csv);
        csv_->stream() << "t,ux,uy,uz\n";
    }
}

void MotionFiles::frame(double time, const Eigen::VectorXd& u) {
    const std::span<const double> values(u.data(), static_cast<std::size_t>(u.size()));
    if (npy_) npy_->append(values);
    if (!vtu_stem_.empty()) {
        std::filesystem::path file = vtu_stem_;
        file += fmt::format("_{:06}.vtu", frames_);
        build::write_vtu(file, mesh_, {{"displacement", 3, {values.begin(), values.end()}}});
        pvd_entries_ += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time,
                                    build::xml_text(file.filename().string()));
    }
    ++frames_;
}

void MotionFiles::probe(double time, const Eigen::Vector3d& displacement) {
    if (csv_)
        csv_->stream() << fmt::format("{},{},{},{}\n", time, displacement.x(), displacement.y(),
                                      displacement.z());
}

void MotionFiles::commit() {
    if (npy_) npy_->commit();
    if (csv_) csv_->commit();
    if (!vtu_stem_.empty()) {
        std::filesystem::path pvd = vtu_stem_;
        pvd += ".pvd";
        build::write_file(
            pvd, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n" +
                     pvd_entries_ + "  </Collection>\n</VTKFile>\n");
    }
}

}  // namespace limber::cli
