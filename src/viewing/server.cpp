#include "viewing/server.h"

#include <httplib.h>

namespace carom::inline viewing {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int threads = 8;  // a browser opens six connections
constexpr int seconds_of_patience = 5, seconds_kept_alive = 1;

const httplib::Headers security_headers = {
    {"Content-Security-Policy",
     "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"}};

void put(httplib::Response& response, Answer answer) {
  response.status = answer.status;
  if (answer.body.empty()) return response.set_content("", answer.type);
  // The library compresses what it is given as a whole, which takes seconds for the page and gains nothing here.
  const auto body = std::make_shared<const std::string>(std::move(answer.body));
  response.set_content_provider(body->size(), answer.type,
                                [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                  return sink.write(body->data() + offset, length);
                                });
}

Answer refusal(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", why + "\n"};
}

}  // namespace

bool is_own_request(int port, const std::string& host, const std::string& origin, const std::string& fetch_site) {
  const std::string number = ":" + std::to_string(port);
  const auto is_own = [&](const std::string& name, const std::string& scheme) {
    return name == scheme + loopback + number || name == scheme + "localhost" + number;
  };
  if (!is_own(host, "") || (!origin.empty() && !is_own(origin, "http://"))) return false;
  // "none": typed by the user. A link from elsewhere ("cross-site") has to be typed, too.
  return fetch_site.empty() || fetch_site == "same-origin" || fetch_site == "none";
}

struct ViewerServer::Impl {
  httplib::Server server;
  int port = 0;
};

ViewerServer::ViewerServer(ViewerRoutes& routes, int port) : impl_(std::make_unique<Impl>()) {
  httplib::Server& server = impl_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_read_timeout(seconds_of_patience);
  server.set_write_timeout(seconds_of_patience);
  server.set_keep_alive_timeout(seconds_kept_alive);
  server.set_payload_max_length(0);
  server.set_tcp_nodelay(true);
  server.set_default_headers(security_headers);
  // Without SO_REUSEPORT, which the library would set: two viewers must not share one port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_pre_routing_handler([this, &routes](const httplib::Request& request, httplib::Response& response) {
    const std::string origin = request.get_header_value("Origin");
    const bool acts = request.path == "/api/run" || request.path == "/api/stop";
    const char* const method = acts ? "POST" : "GET";
    // A page names its origin when it asks for an action; whoever does not is no page of ours.
    if (!is_own_request(impl_->port, request.get_header_value("Host"), origin,
                        request.get_header_value("Sec-Fetch-Site")) ||
        (acts && origin.empty())) {
      put(response, refusal(403, "This viewer answers only its own page; type the address that carom view printed."));
    } else if (request.method != method) {
      response.set_header("Allow", method);
      put(response, refusal(405, std::string("Here this viewer answers ") + method + " only."));
    } else if (acts) {
      put(response, routes.act(request.path));
    } else {
      Query query;
      for (const auto& [name, value] : request.params) query.emplace(name, value);
      put(response, routes.answer(request.path, query));
    }
    return httplib::Server::HandlerResponse::Handled;
  });
  impl_->port = port == 0 ? server.bind_to_any_port(loopback) : (server.bind_to_port(loopback, port) ? port : -1);
  if (impl_->port <= 0) {
    throw ResultError("port " + std::to_string(port) + " of " + loopback +
                      " cannot be had, another program may use it; leave --port out to get a free one");
  }
}

ViewerServer::~ViewerServer() = default;

int ViewerServer::port() const {
  return impl_->port;
}

void ViewerServer::serve() {
  impl_->server.listen_after_bind();
}

void ViewerServer::stop() {
  impl_->server.stop();
}

}  // namespace carom::inline viewing
