#include "viewing/server.h"

#include <optional>

#include <httplib.h>

#include "viewing/token.h"

namespace carom::inline viewing {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int threads = 8;                             // a browser opens six connections
constexpr std::size_t most_bytes_of_body = 64 * 1024;  // of a request
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

bool is_action(std::string_view path) {
  return path == "/api/run" || path == "/api/stop";
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
  const std::string token = new_token();

  /// Why a request is not answered; none: it is.
  std::optional<Answer> objection(const httplib::Request& request) const;
};

std::optional<Answer> ViewerServer::Impl::objection(const httplib::Request& request) const {
  const std::string origin = request.get_header_value("Origin");
  const std::string_view path = path_after_token(request.path, token);
  std::string site = request.get_header_value("Sec-Fetch-Site");
  // A link that has the secret in it may lead here from anywhere, as long as it opens the page in a window of its own.
  const bool opens_page = path == "/" && request.method == "GET" && origin.empty() &&
                          request.get_header_value("Sec-Fetch-Mode") == "navigate" &&
                          request.get_header_value("Sec-Fetch-Dest") == "document";
  if (opens_page) site.clear();
  // A page names its origin when it asks for an action; whoever does not is no page of ours.
  if (!is_own_request(port, request.get_header_value("Host"), origin, site) || (is_action(path) && origin.empty()))
    return refusal(403, "This viewer answers only its own page; type the address that carom view printed.");
  if (path.empty()) {
    return refusal(403,
                   "The secret part of this address is missing, wrong, or of a viewer that has ended. Copy the whole "
                   "address that carom view printed.");
  }
  const char* const method = is_action(path) ? "POST" : "GET";
  if (request.method != method) return refusal(405, std::string("Here this viewer answers ") + method + " only.");
  return std::nullopt;
}

ViewerServer::ViewerServer(ViewerRoutes& routes, int port) : impl_(std::make_unique<Impl>()) {
  httplib::Server& server = impl_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_read_timeout(seconds_of_patience);
  server.set_write_timeout(seconds_of_patience);
  server.set_keep_alive_timeout(seconds_kept_alive);
  server.set_payload_max_length(most_bytes_of_body);
  server.set_tcp_nodelay(true);
  server.set_default_headers(security_headers);
  // Without SO_REUSEPORT, which the library would set: two viewers must not share one port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_pre_routing_handler([this, &routes](const httplib::Request& request, httplib::Response& response) {
    const std::string_view path = path_after_token(request.path, impl_->token);
    if (auto objection = impl_->objection(request)) {
      if (objection->status == 405) response.set_header("Allow", is_action(path) ? "POST" : "GET");
      put(response, std::move(*objection));
    } else if (is_action(path)) {
      return httplib::Server::HandlerResponse::Unhandled;  // its body is still to be read
    } else {
      Query query;
      for (const auto& [name, value] : request.params) query.emplace(name, value);
      put(response, routes.answer(path, query));
    }
    return httplib::Server::HandlerResponse::Handled;
  });
  server.Post(".*", [this, &routes](const httplib::Request& request, httplib::Response& response) {
    put(response, routes.act(path_after_token(request.path, impl_->token), request.body));
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

std::string ViewerServer::address() const {
  return std::string("http://") + loopback + ":" + std::to_string(impl_->port) + "/" + impl_->token + "/";
}

void ViewerServer::serve() {
  impl_->server.listen_after_bind();
}

void ViewerServer::stop() {
  impl_->server.stop();
}

}  // namespace carom::inline viewing
