// SPDX-License-Identifier: Apache-2.0
#include "cli/motion_files.h"

#include "build/file/xml_text.h"
#include "build/mesh_files/files.h"

#include <fmt/format.h>

#include <system_error>

namespace limber::cli {
namespace {

std::filesystem::path stem_of_series(const std::string& vtu) {
    return std::filesystem::path(vtu).replace_extension();
}

std::filesystem::path frame_file(std::filesystem::path stem, std::size_t frame) {
    return stem += fmt::format("_{:06}.vtu", frame);
}

std::filesystem::path list_file(std::filesystem::path stem) {
    return stem += ".pvd";
}

}  // namespace

std::vector<std::filesystem::path> MotionFiles::of_series(const std::string& vtu) {
    if (vtu.empty()) return {};
    const std::filesystem::path stem = stem_of_series(vtu);
    std::vector<std::filesystem::path> out = {list_file(stem), frame_file(stem, 0)};
    const std::string begin = stem.filename().string() + "_", end = ".vtu";
    std::error_code error;
    const std::filesystem::path folder = stem.has_parent_path() ? stem.parent_path() : ".";
    for (std::filesystem::directory_iterator entry(folder, error), last; !error && entry != last;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.size() <= begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end))
            continue;
        const std::string number = name.substr(begin.size(), name.size() - begin.size() - end.size());
        const bool is_frame =
            number.size() >= 6 && number.find_first_not_of("0123456789") == std::string::npos;
        if (is_frame && number.find_first_not_of('0') != std::string::npos) out.push_back(entry->path());
    }
    return out;
}

MotionFiles::MotionFiles(const MotionFileNames& names, const build::VolumeMesh& mesh) : mesh_(mesh) {
    if (!names.vtu.empty()) vtu_stem_ = stem_of_series(names.vtu);
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
        const std::filesystem::path file = frame_file(vtu_stem_, frames_);
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
        build::write_file(
            list_file(vtu_stem_),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n" +
                pvd_entries_ + "  </Collection>\n</VTKFile>\n");
    }
}

}  // namespace limber::cli
