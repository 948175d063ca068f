#pragma once

#include <memory>
#include <string>

#include "viewing/routes.h"

namespace carom::inline viewing {

/// A web server for one user of this computer only: it listens on 127.0.0.1, answers only what is asked for below a
/// secret part of its address, and only requests that name it by 127.0.0.1 or as localhost and do not come from the
/// page of another site. What starts or stops something must be a POST that says it comes from the viewer's own page;
/// all else is GET.
class ViewerServer {
 public:
  /// Port 0: any free one. Throws ResultError when the port cannot be had.
  ViewerServer(ViewerRoutes& routes, int port);
  ~ViewerServer();

  int port() const;
  std::string address() const;  // with the secret; whoever knows it may see and run the model
  void serve();                 // until stop() is called, from another thread
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether a request may be answered. Empty header: not sent. A name that a foreign site has pointed at this computer
/// shows in `host`, a foreign page in `origin` and `fetch_site`.
bool is_own_request(int port, const std::string& host, const std::string& origin, const std::string& fetch_site);

}  // namespace carom::inline viewing
