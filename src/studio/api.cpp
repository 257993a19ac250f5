// SPDX-License-Identifier: Apache-2.0
#include "studio/api.h"

#include "studio/http_answer.h"
#include "studio/json_request.h"
#include "studio/material_presets.h"
#include "studio/plans.h"
#include "studio/upload_set.h"

#include <fmt/format.h>
#include <malloc.h>

namespace limber::studio {
namespace {

using httplib::ContentReader;
using httplib::Request;
using httplib::Response;

constexpr int kMostUploads = 4, kMostJobRequests = 8;  // at once
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLargeRequest = 1u << 16;  // bytes; what one leaves behind goes back to the system
const std::string kId = "([a-z0-9-]{1,64})";

nlohmann::json job_json(const JobQueue::Seen& seen) {
    nlohmann::json out = to_json(seen.job);
    out["place"] = seen.place;
    return out;
}

// Counts a body while it is under way.
class Slot {
 public:
    Slot(std::atomic<int>& count, int most, const char* what) : count_(count) {
        if (++count_ <= most) return;
        --count_;
        throw ApiError{
            503, {what, fmt::format("{} are under way already", most), "wait until one of them is done"}};
    }
    ~Slot() { --count_; }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

 private:
    std::atomic<int>& count_;
};

void take_upload(ApiContext& context, const Request& request, Response& response, const ContentReader& body) {
    // From the address itself: the library takes what follows the last "=" of a pair.
    const std::string name = query_value(request.target, "name");
    if (name.empty() || name.size() > kLongestName)
        throw ApiError{400, {"name", "an upload needs a name of at most 200 bytes", "?name=bunny.obj"}};
    const Slot slot(context.uploads, kMostUploads, "upload");
    // The gate has seen that there is a length, and the stream gives no more than it.
    const CacheQuota::Room room(context.quota, request.get_header_value<std::uint64_t>("Content-Length"));
    IncomingUpload incoming(context.store);
    bool disk_full = false;
    const bool whole = body([&](const char* bytes, std::size_t count) {
        disk_full = !incoming.add({bytes, count});
        return !disk_full;
    });
    if (disk_full) throw ApiError{507, {"upload", "the disk is full", "room in the cache folder"}};
    if (!whole) throw ApiError{408, {"upload", "it did not come whole, or took too long", "send it again"}};
    const Upload upload = incoming.finish(name);
    answer_json(response, {{"upload", upload.id}, {"name", upload.name}, {"bytes", upload.bytes}});
}

Plan plan_of(ApiContext& context, const JobRequest& request) {
    if (const auto* check = std::get_if<CheckRequest>(&request)) return plan_check(context.store, *check);
    if (const auto* repair = std::get_if<RepairRequest>(&request)) return plan_repair(context.store, *repair);
    if (const auto* fill = std::get_if<FillRequest>(&request)) return plan_fill(context.store, *fill);
    if (const auto* build = std::get_if<BuildRequest>(&request)) return plan_build(context.store, *build);
    if (const auto* quality = std::get_if<QualityRequest>(&request))
        return plan_quality(context.store, quality->model, context.gallery.model_file(quality->model));
    const std::string& id = std::get<ValidateRequest>(request).model;
    return plan_validate(context.store, id, context.gallery.model_file(id));
}

// Gives what a large request took back to the system, also if it is refused.
struct MemoryBack {
    const std::string& text;
    ~MemoryBack() {
        if (text.size() > kLargeRequest) malloc_trim(0);
    }
};

std::string read_body(const ContentReader& body) {
    std::string text;
    if (!body([&](const char* bytes, std::size_t count) {
            text.append(bytes, count);
            return true;
        }))
        throw ApiError{408, {"request", "it did not come whole, or took too long", "send it again"}};
    return text;
}

void take_upload_set(ApiContext& context, const Request&, Response& response, const ContentReader& body) {
    const Slot slot(context.requests, kMostJobRequests, "request");
    const UploadSet set = parse_upload_set(parse_object(read_body(body)));
    const CacheQuota::Room room(context.quota, 0);
    const std::lock_guard lock(context.store.tidying());
    const Upload upload = join_uploads(context.store, set);
    answer_json(response, {{"upload", upload.id}, {"name", upload.name}, {"bytes", upload.bytes}});
}

void take_job(ApiContext& context, const Request&, Response& response, const ContentReader& body) {
    const Slot slot(context.requests, kMostJobRequests, "request");
    const std::string text = read_body(body);
    const MemoryBack memory_back{text};
    const nlohmann::json request = with_base(
        parse_object(text), [&](const std::string& model) { return context.gallery.request_of(model); });
    const JobRequest parsed = parse_job_request(request);
    const CacheQuota::Room room(context.quota, 0);
    const std::lock_guard lock(context.store.tidying());
    answer_json(response, {{"job", context.queue.submit(plan_of(context, parsed))}});
}

nlohmann::json presets_json() {
    nlohmann::json out = nlohmann::json::array();
    for (const MaterialPreset& preset : material_presets())
        out.push_back({{"id", preset.id},
                       {"title", preset.title},
                       {"young", preset.young},
                       {"poisson", preset.poisson},
                       {"density", preset.density},
                       {"source", preset.source}});
    return out;
}

void add_models(HttpServer& server, ApiContext& context) {
    server.Get("/api/gallery", [&](const Request&, Response& response) {
        nlohmann::json out = context.gallery.json();
        out["upload_limit"] = context.most_upload_bytes;
        out["cache"] = {{"bytes", context.quota.tidy()}, {"limit", context.quota.most_bytes()}};
        out["queue"] = {{"waiting", context.queue.waiting()}, {"limit", context.queue.most_waiting()}};
        answer_json(response, out);
    });
    server.Post("/api/gallery/" + kId + "/build",
                [&](const Request& request, Response& response, const ContentReader&) {
                    const CacheQuota::Room room(context.quota, 0);
                    answer_json(response, {{"job", context.gallery.build(request.matches[1])}});
                });
    server.Get("/api/models/" + kId + "\\.glb", [&](const Request& request, Response& response) {
        const std::string id = request.matches[1];
        answer_file(response, context.gallery.model_file(id), "model/gltf-binary", id + ".glb");
    });
    server.Get("/api/models/" + kId + "\\.png", [&](const Request& request, Response& response) {
        answer_file(response, context.store.picture_file(request.matches[1]), "image/png");
    });
    server.Delete("/api/models/" + kId,
                  [&](const Request& request, Response& response, const ContentReader&) {
                      context.gallery.remove(request.matches[1]);
                      answer_json(response, nlohmann::json::object());
                  });
    server.Get("/api/meshes/" + kId + "\\.(glb|bin)", [&](const Request& request, Response& response) {
        const std::string ending = request.matches[2];
        answer_file(response, context.store.mesh_file(request.matches[1].str() + '.' + ending),
                    ending == "glb" ? "model/gltf-binary" : "application/octet-stream");
    });
    server.Get("/api/reports/" + kId + "\\.html", [&](const Request& request, Response& response) {
        const std::string id = request.matches[1];
        answer_file(response, context.store.report_file(id), "text/html; charset=utf-8", id + ".html");
    });
    server.Get("/api/materials",
               [](const Request&, Response& response) { answer_json(response, presets_json()); });
}

void add_jobs(HttpServer& server, ApiContext& context) {
    server.Post("/api/uploads", [&](const Request& request, Response& response, const ContentReader& body) {
        take_upload(context, request, response, body);
    });
    server.Post("/api/upload-sets",
                [&](const Request& request, Response& response, const ContentReader& body) {
                    take_upload_set(context, request, response, body);
                });
    server.Post("/api/jobs", [&](const Request& request, Response& response, const ContentReader& body) {
        take_job(context, request, response, body);
    });
    server.Get("/api/jobs", [&](const Request&, Response& response) {
        nlohmann::json jobs = nlohmann::json::array();
        for (const auto& seen : context.queue.list())
            jobs.push_back(job_json(seen));
        answer_json(response, {{"jobs", jobs}});
    });
    server.Get("/api/jobs/" + kId, [&](const Request& request, Response& response) {
        const std::string id = request.matches[1];
        const auto seen = context.queue.find(id);
        if (!seen) throw ApiError{404, {id, "there is no such job", ""}};
        answer_json(response, job_json(*seen));
    });
    server.Delete("/api/jobs/" + kId, [&](const Request& request, Response& response, const ContentReader&) {
        const std::string id = request.matches[1];
        context.queue.cancel_or_forget(id);
        answer_json(response, nlohmann::json::object());
    });
}

void answer_exception(const Log& log, const Request& request, Response& response, std::exception_ptr thrown) {
    int status = 500;
    InputError error{"studio", "something went wrong", ""};
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const ApiError& known) {
        status = known.status;
        error = known.error;
    } catch (const InputError& known) {
        status = 400;
        error = known;
    } catch (const std::exception& unknown) {
        error.problem = unknown.what();
    }
    log(fmt::format("answered {}: {} {}: {}", status, request.method, log_text(request.path),
                    log_text(error.problem)));
    answer_error(response, status, error);
}

}  // namespace

void add_routes(HttpServer& server, ApiContext& context) {
    server.set_exception_handler([&](const Request& request, Response& response, std::exception_ptr thrown) {
        answer_exception(context.log, request, response, std::move(thrown));
    });
    // Before all routes, since the gate asks for no token here: what is open is a file of the page, whatever
    // its name.
    server.set_pre_routing_handler([&](const Request& request, Response& response) {
        const auto file = context.page.find(request.path);
        if (file == context.page.end() || (request.method != "GET" && request.method != "HEAD"))
            return HttpServer::HandlerResponse::Unhandled;
        response.set_content(file->second.bytes, file->second.content_type);
        return HttpServer::HandlerResponse::Handled;
    });
    add_models(server, context);
    add_jobs(server, context);
    server.Get("/.*", [](const Request&, Response&) {
        throw ApiError{404, {"address", "there is nothing here", "/"}};
    });
}

}  // namespace limber::studio
