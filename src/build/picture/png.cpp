// SPDX-License-Identifier: Apache-2.0
// PNG by libpng's simple interface: the whole file in memory, then onto the disk at once.
#include "build/file/atomic_file.h"
#include "build/picture/draw.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <png.h>
#include <algorithm>
#include <string>

namespace limber::build {

std::string encode_png(const Image& image, const std::string& name) {
    const auto pixels = static_cast<std::size_t>(std::max(image.width, 0)) *
                        static_cast<std::size_t>(std::max(image.height, 0));
    if (pixels == 0 || image.rgb.size() != 3 * pixels)
        throw InputError{name,
                         fmt::format("an image of {} x {} pixels cannot have {} bytes", image.width,
                                     image.height, image.rgb.size()),
                         "three bytes per pixel, at least one pixel"};

    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    std::string file(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
    png_alloc_size_t size = file.size();
    if (png_image_write_to_memory(&header, file.data(), &size, /*convert_to_8_bit=*/0, image.rgb.data(),
                                  /*row_stride=*/0, /*colormap=*/nullptr) == 0)
        throw InputError{name, fmt::format("libpng cannot write it: {}", header.message), ""};
    file.resize(size);
    return file;
}

void write_png(const std::filesystem::path& path, const Image& image) {
    write_file(path, encode_png(image, path.string()));
}

}  // namespace limber::build
