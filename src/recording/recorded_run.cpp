#include "recording/recorded_run.h"

#include "recording/result_writer.h"

namespace carom::inline recording {

std::size_t RecordedRun::width() const {
  std::size_t width = 0;
  for (const ChannelGroup& group : header.groups) width += group.components.size();
  return width;
}

std::vector<double> RecordedRun::column(const std::string& quantity) const {
  const std::size_t columns = width();
  std::size_t place = 0;
  for (const ChannelGroup& group : header.groups) {
    for (const Component& component : group.components) {
      if (group.name + "." + component.name == quantity) {
        std::vector<double> result(times.size());
        for (std::size_t row = 0; row < times.size(); ++row) result[row] = values[row * columns + place];
        return result;
      }
      ++place;
    }
  }
  return {};
}

void write_result(const RecordedRun& run, const std::filesystem::path& path, const std::string& statistics_json,
                  const std::string& status) {
  ResultWriter writer(path, run.header);
  const std::size_t columns = run.width();
  const std::span<const double> all = run.values;
  for (std::size_t row = 0; row < run.times.size(); ++row)
    writer.append(run.times[row], all.subspan(row * columns, columns));
  for (const EventRecord& event : run.events) writer.add_event(event);
  writer.finish(statistics_json, status);
}

}  // namespace carom::inline recording
