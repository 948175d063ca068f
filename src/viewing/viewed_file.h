#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "viewing/frames.h"

namespace carom::inline viewing {

/// A file that the viewer shows, opened again when it has changed.
class ViewedFile {
 public:
  /// `open` is called at once, and what it throws goes to the caller.
  ViewedFile(std::filesystem::path file, std::function<Viewed()> open);

  /// Opens the file again if it has changed since, and when that was not possible the last time. Throws what `open`
  /// throws.
  void refresh();

  /// Lets go of the file; refresh() opens it again.
  void close();

  bool is_open() const { return viewed_.samples != nullptr; }
  const Viewed& viewed() const { return viewed_; }
  const FrameLayout& layout() const { return layout_; }

  /// Counts how often the file has become another one: other quantities, another model, or fewer samples. As long as it
  /// stays, samples were only added.
  int generation() const { return generation_; }

  /// All samples of a quantity, kept until the file changes. An unknown one throws ResultError with close names.
  std::shared_ptr<const std::vector<double>> column(const std::string& quantity);

 private:
  struct Stamp {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;
  void open();

  std::filesystem::path file_;
  std::function<Viewed()> open_;
  Stamp opened_;
  bool opened_young_ = false;  // it was being written: the clock of files is too coarse to tell what came after
  Viewed viewed_;
  FrameLayout layout_;
  int generation_ = 0;
  std::size_t known_samples_ = 0;
  std::string known_model_;
  std::vector<ChannelGroup> known_groups_;
  std::map<std::string, std::shared_ptr<const std::vector<double>>> columns_;
  std::size_t kept_numbers_ = 0;  // in columns_
};

}  // namespace carom::inline viewing
