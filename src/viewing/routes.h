#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "viewing/model_run.h"
#include "viewing/viewed_file.h"

// What the viewer answers, without a word about sockets.
namespace carom::inline viewing {

struct Answer {
  int status = 200;
  std::string type;  // Content-Type
  std::string body;
};

/// The names and values after the question mark.
using Query = std::map<std::string, std::string>;

/// Answers requests for the page and for the data of a result or model, or of two to compare. May be called from
/// several threads: the HDF5 library serves one at a time.
class ViewerRoutes {
 public:
  /// `run`, if any, belongs to the first file, whose place its result takes.
  explicit ViewerRoutes(std::vector<ViewedFile> files, ModelRun* run = nullptr);

  /// To a request that only reads.
  Answer answer(std::string_view path, const Query& query);

  /// To a request that starts or stops something. A start may bring values for parameters, {"set": {"NAME": "VALUE"}};
  /// those that do not fit are reported by name (`fields`), and nothing is started.
  Answer act(std::string_view path, std::string_view body = {});

 private:
  Answer answer_data(std::string_view path, const Query& query);
  Answer describe_state();
  Answer start_run(std::string_view body);
  void take_up_run();
  ViewedFile& file_of(const Query& query);

  std::mutex mutex_;
  std::vector<ViewedFile> files_;
  ModelRun* run_;
  int run_shown_ = 0;   // number of the run whose result is the first file
  int generation_ = 0;  // of files that are not shown any more
};

}  // namespace carom::inline viewing
