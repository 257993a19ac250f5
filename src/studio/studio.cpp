// SPDX-License-Identifier: Apache-2.0
#include "studio/studio.h"

#include "studio/api.h"
#include "studio/secret.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace limber::studio {
namespace {

constexpr int kFirstPort = 8420, kPortsToTry = 100;

int bind(HttpServer& server, const StudioOptions& options) {
    if (options.port) {
        const int port = server.bind(options.host, *options.port);
        if (port == 0)
            throw InputError{fmt::format("{}:{}", options.host, *options.port),
                             "the port is taken, or the address is not this machine's",
                             "without --port the next free one is taken"};
        return port;
    }
    for (int port = kFirstPort; port < kFirstPort + kPortsToTry; ++port)
        if (const int bound = server.bind(options.host, port)) return bound;
    throw InputError{options.host,
                     fmt::format("no port from {} to {} is free, or the address is not this machine's",
                                 kFirstPort, kFirstPort + kPortsToTry - 1),
                     "--port with another number, --host 127.0.0.1"};
}

GateRules rules_of(const StudioOptions& options, const std::string& token, const PageFiles& page) {
    GateRules out{.token = token, .host = options.host, .most_upload_bytes = options.most_upload_bytes};
    for (const auto& [path, file] : page)
        out.open.insert(path);
    return out;
}

}  // namespace

std::uint64_t memory_for_a_job() {
    const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
    const auto page = static_cast<std::uint64_t>(std::max(sysconf(_SC_PAGE_SIZE), 0L));
    return std::max<std::uint64_t>(pages * page / 4 * 3, 1u << 30);
}

// In the order in which each needs those before it.
struct Studio::Parts {
    StudioOptions options;
    std::string token = make_token();
    PageFiles page;
    Store store;
    JobQueue queue;
    CacheQuota quota;
    Gallery gallery;
    ApiContext context;
    HttpServer server;
    int port = 0;
    std::thread listener;

    Parts(StudioOptions given, const Log& log)
        : options(std::move(given)),
          page(read_page(options.page.empty() ? page_folder() : options.page)),
          store(options.cache.empty() ? default_cache() : options.cache, LIMBER_VERSION),
          queue({options.program, store.jobs_folder(), options.limits, options.most_waiting_jobs}, log),
          quota(store, queue, options.most_cache_bytes, log),
          gallery(store, queue, look_at(options.files, options.program, options.limits)),
          context{store, queue, quota, gallery, page, options.most_upload_bytes, log},
          server(rules_of(options, token, page), {.upload = options.upload_time, .stall = options.stall_time},
                 log) {
        quota.tidy();
        add_routes(server, context);
        port = bind(server, options);
        if (options.draws_pictures) gallery.draw_missing_pictures();
        listener = std::thread([this] { server.listen_after_bind(); });
    }

    ~Parts() {
        server.stop();
        if (listener.joinable()) listener.join();
    }
};

Studio::Studio(StudioOptions options, Log log)  // NOLINT(performance-unnecessary-value-param): kept by value
    : parts_(std::make_unique<Parts>(std::move(options), log)) {
    // stop() does nothing before the server listens.
    while (!parts_->server.is_running())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Studio::~Studio() = default;

int Studio::port() const {
    return parts_->port;
}

const std::string& Studio::token() const {
    return parts_->token;
}

std::string Studio::address() const {
    std::string host = parts_->options.host;
    // An address that stands for all of the machine's is none that a browser can open.
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    if (host.find(':') != std::string::npos) host = '[' + host + ']';
    const std::string& open = parts_->gallery.given().open;
    return fmt::format("http://{}:{}/#token={}{}", host, port(), token(),
                       open.empty() ? "" : "&open=" + open);
}

std::filesystem::path Studio::cache() const {
    return parts_->store.root();
}

}  // namespace limber::studio
