// SPDX-License-Identifier: Apache-2.0
#include "studio/http_answer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace limber::studio {
namespace {

constexpr std::size_t kBlock = 1 << 16;  // bytes of a file at a time

const char* reason_of(int status) {
    switch (status) {
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 411:
            return "Length Required";
        case 413:
            return "Payload Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Error";
    }
}

std::string dump(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

struct OpenFile {
    int descriptor = -1;
    ~OpenFile() {
        if (descriptor >= 0) close(descriptor);
    }
};

}  // namespace

const char* const kContentSecurityPolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

httplib::Headers security_headers() {
    return {{"Content-Security-Policy", kContentSecurityPolicy},
            {"X-Content-Type-Options", "nosniff"},
            {"Referrer-Policy", "no-referrer"},
            {"Cross-Origin-Resource-Policy", "same-origin"},
            {"Cross-Origin-Opener-Policy", "same-origin"},
            {"Cache-Control", "no-cache"}};
}

nlohmann::json error_json(const InputError& error) {
    return {{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}};
}

void answer_json(httplib::Response& response, const nlohmann::json& json, int status) {
    response.status = status;
    response.set_content(dump(json), "application/json");
}

void answer_error(httplib::Response& response, int status, const InputError& error) {
    answer_json(response, {{"error", error_json(error)}}, status);
}

void answer_file(httplib::Response& response, const std::filesystem::path& path, const char* content_type,
                 const std::string& name) {
    const auto file = std::make_shared<OpenFile>();
    file->descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about {};
    if (file->descriptor < 0 || fstat(file->descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        throw ApiError{404, {"file", "it is not there", "build the model again"}};
    if (!name.empty())
        response.set_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
    if (about.st_size == 0) {
        response.set_content("", content_type);
        return;
    }
    response.set_content_provider(
        static_cast<std::size_t>(about.st_size), content_type,
        [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            std::vector<char> block(std::min(length, kBlock));
            const ssize_t got =
                pread(file->descriptor, block.data(), block.size(), static_cast<off_t>(offset));
            return got > 0 && sink.write(block.data(), static_cast<std::size_t>(got));
        });
}

std::string refusal_bytes(int status, const InputError& error) {
    const std::string body = dump({{"error", error_json(error)}});
    std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, reason_of(status));
    for (const auto& [name, value] : security_headers())
        out += fmt::format("{}: {}\r\n", name, value);
    return out +
           fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                       body.size(), body);
}

}  // namespace limber::studio
