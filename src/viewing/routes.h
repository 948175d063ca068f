#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "viewing/frames.h"

// What the viewer answers, without a word about sockets.
namespace carom {

struct Answer {
  int status = 200;
  std::string type;  // Content-Type
  std::string body;
};

/// The names and values after the question mark.
using Query = std::map<std::string, std::string>;

/// Answers requests for the page and for the data of one result or model. May be called from several threads: the HDF5
/// library serves one at a time.
class ViewerRoutes {
 public:
  /// `open` is called at once, and again whenever the page asks for the scene of a file that has changed since.
  /// What it throws at first goes to the caller; later it becomes an answer.
  ViewerRoutes(std::function<Viewed()> open, std::filesystem::path file);

  Answer answer(std::string_view path, const Query& query);

 private:
  Answer answer_data(std::string_view path, const Query& query);
  void open_if_changed();

  std::function<Viewed()> open_;
  std::filesystem::path file_;
  std::filesystem::file_time_type opened_state_;
  std::mutex mutex_;
  Viewed viewed_;
  FrameLayout layout_;
};

}  // namespace carom
