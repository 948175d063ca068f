#include "studies/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/protected_files.h"
#include "studies/checksum.h"

namespace carom::inline studies {
namespace {

constexpr std::size_t checksum_length = 16;
constexpr std::string_view journal_name = "carom study journal";

// Numbers as hexadecimal texts: every bit, and values that are not finite.
nlohmann::json number_list(const std::vector<double>& numbers) {
  nlohmann::json list = nlohmann::json::array();
  for (const double number : numbers) list.push_back(fmt::format("{:a}", number));
  return list;
}

std::vector<double> numbers_of(const nlohmann::json& list) {
  std::vector<double> numbers;
  for (const auto& item : list) {
    std::string text = item.get<std::string>();
    const bool negative = text.starts_with('-');
    if (negative) text.erase(0, 1);
    if (text.starts_with("0x")) text.erase(0, 2);
    double number = 0;
    const auto format = text == "nan" || text == "inf" ? std::chars_format::general : std::chars_format::hex;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number, format);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size()) throw std::invalid_argument("no number");
    numbers.push_back(negative ? -number : number);
  }
  return numbers;
}

std::string read_whole(int descriptor) {
  std::string text;
  char block[1 << 16];
  for (ssize_t count = 0; (count = pread(descriptor, block, sizeof block, static_cast<off_t>(text.size()))) > 0;)
    text.append(block, static_cast<std::size_t>(count));
  return text;
}

}  // namespace

const std::vector<Component>& statistics_columns() {
  static const std::vector<Component> columns = {{"end_time", "s", "simulated time that was reached"},
                                                 {"samples", "1", "recorded"},
                                                 {"steps", "1", "of the integrator"},
                                                 {"rejected", "1", "steps that were taken again"},
                                                 {"contacts", "1", "contacts that began, or impacts"},
                                                 {"largest_penetration", "m", "of all contacts"},
                                                 {"energy_residual", "J", "largest error of the energy balance"}};
  return columns;
}

std::string to_line(const RunRecord& record) {
  nlohmann::json lists = nlohmann::json::array();
  for (const auto& list : record.reduced.lists) lists.push_back(number_list(list));
  const nlohmann::json json = {{"run", record.index},       {"failed", record.failed},
                               {"reason", record.reason},   {"values", number_list(record.reduced.values)},
                               {"lists", std::move(lists)}, {"statistics", number_list(record.statistics)}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return fmt::format("{:016x} {}\n", checksum(text), text);
}

bool from_line(const std::string& line, RunRecord& record) {
  if (line.size() < checksum_length + 1) return false;
  const std::string text = line.substr(checksum_length + 1);
  if (line.substr(0, checksum_length + 1) != fmt::format("{:016x} ", checksum(text))) return false;
  try {
    const auto json = nlohmann::json::parse(text);
    record = {.index = json.at("run").get<std::size_t>(),
              .failed = json.at("failed").get<bool>(),
              .reason = json.at("reason").get<std::string>(),
              .reduced = {.values = numbers_of(json.at("values")), .lists = {}},
              .statistics = numbers_of(json.at("statistics"))};
    for (const auto& list : json.at("lists")) record.reduced.lists.push_back(numbers_of(list));
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

Journal::Journal(const std::filesystem::path& path, std::uint64_t mark, std::size_t runs, bool fresh) : path_(path) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("opened");
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw ResultError(path.string() +
                        " is in use: another carom study works on it; wait, or give another output by -o");
    const std::string header = fmt::format("{} 1 {:016x} {}\n", journal_name, mark, runs);
    std::string text = read_whole(descriptor_);
    if (!text.empty() && !text.starts_with(journal_name.substr(0, text.size())) && !replaces_by_force())
      throw ResultError(path.string() +
                        " is there and is not the journal of a study; give another output by -o, or --force");
    if (fresh) text.clear();
    if (text.size() < header.size() && header.starts_with(text)) {
      begin(header);  // new, or killed before the first line was whole
    } else if (text.starts_with(header)) {
      read(text.substr(header.size()), runs);
      // A line without an end was being written when the program was killed.
      if (ftruncate(descriptor_, static_cast<off_t>(text.rfind('\n') + 1)) != 0) fail("shortened");
    } else {
      throw ResultError(path.string() +
                        " belongs to another study: the study file, a model or Carom has changed since; give another "
                        "output by -o, or throw away what it holds by --fresh");
    }
    if (lseek(descriptor_, 0, SEEK_END) < 0) fail("read");
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  fsync(descriptor_);
  close(descriptor_);
}

void Journal::begin(const std::string& header) {
  if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) < 0) fail("emptied");
  write(header);
}

void Journal::read(const std::string& text, std::size_t runs) {
  std::set<std::size_t> known;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    RunRecord record;
    // What a disk has damaged is run again.
    if (!from_line(text.substr(start, end - start), record) || record.index >= runs) continue;
    if (known.insert(record.index).second) found_.push_back(std::move(record));
  }
}

void Journal::append(const RunRecord& record) {
  write(to_line(record));
  if (std::chrono::steady_clock::now() - synced_ > std::chrono::seconds(1)) sync();
}

void Journal::sync() {
  synced_ = std::chrono::steady_clock::now();
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("written");
}

void Journal::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("written");
    done += static_cast<std::size_t>(count);
  }
}

void Journal::fail(const std::string& what) const {
  throw ResultError(
      fmt::format("the journal of the study, {}, cannot be {}: {}", path_.string(), what, std::strerror(errno)));
}

}  // namespace carom::inline studies
