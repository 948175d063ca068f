#include "viewing/viewed_file.h"

#include "recording/select_quantities.h"

namespace carom::inline viewing {
namespace {

constexpr std::size_t most_kept_numbers = 16 * 1024 * 1024;  // of columns, 128 MiB
constexpr std::chrono::seconds young{2};

std::vector<double> read_column(const Viewed& viewed, const std::string& quantity) {
  const auto& groups = viewed.samples->groups();
  std::vector<std::string> names;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (std::size_t k = 0; k < groups[group].components.size(); ++k) {
      names.push_back(groups[group].name + "." + groups[group].components[k].name);
      if (names.back() == quantity) return viewed.samples->column(group, k);
    }
  }
  std::string message = "no quantity '" + quantity + "' was recorded";
  const auto close = close_names(quantity, names);
  for (std::size_t i = 0; i < close.size(); ++i) message += (i == 0 ? "; did you mean " : ", ") + close[i];
  throw ResultError(message + (close.empty() ? "" : "?"));
}

}  // namespace

ViewedFile::ViewedFile(std::filesystem::path file, std::function<Viewed()> open)
    : file_(std::move(file)), open_(std::move(open)) {
  this->open();
}

ViewedFile::Stamp ViewedFile::stamp() const {
  std::error_code ignored;
  return {std::filesystem::last_write_time(file_, ignored), std::filesystem::file_size(file_, ignored)};
}

void ViewedFile::close() {
  viewed_.samples.reset();
  columns_.clear();
  kept_numbers_ = 0;
}

void ViewedFile::refresh() {
  if (!is_open() || opened_young_ || stamp() != opened_) open();
}

void ViewedFile::open() {
  // Closed first: the HDF5 library would hand out what it remembers of a file that is open already.
  close();
  opened_ = stamp();
  opened_young_ = std::filesystem::file_time_type::clock::now() - opened_.time < young;
  viewed_ = open_();
  layout_ = lay_out_frames(viewed_);
  const std::size_t samples = viewed_.samples->times().size();
  if (samples < known_samples_ || viewed_.model_text != known_model_ || viewed_.samples->groups() != known_groups_) {
    ++generation_;
    known_model_ = viewed_.model_text;
    known_groups_ = viewed_.samples->groups();
  }
  known_samples_ = samples;
}

std::shared_ptr<const std::vector<double>> ViewedFile::column(const std::string& quantity) {
  const auto found = columns_.find(quantity);
  if (found != columns_.end()) return found->second;
  auto values = std::make_shared<const std::vector<double>>(read_column(viewed_, quantity));
  if (kept_numbers_ + values->size() > most_kept_numbers) {
    columns_.clear();
    kept_numbers_ = 0;
  }
  kept_numbers_ += values->size();
  columns_.emplace(quantity, values);
  return values;
}

}  // namespace carom::inline viewing
