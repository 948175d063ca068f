#include "exports/export_csv.h"

#include <algorithm>
#include <map>
#include <ostream>

#include "recording/csv_text.h"
#include "recording/select_quantities.h"

namespace carom::inline exports {

namespace {

constexpr std::size_t rows_at_once = 4096;

struct Column {
  std::size_t group;   // place among the groups that are read
  std::size_t column;  // within the group
};

/// The groups that are needed, each read once for every block of rows, and the selected columns within them.
struct Selection {
  std::vector<std::size_t> groups;  // by place in the header
  std::vector<Column> columns;
  std::vector<std::string> titles;
};

Selection find_columns(const ResultReader& result, const std::vector<std::string>& patterns) {
  struct Place {
    std::size_t group, column;
  };
  std::map<std::string, Place> places;
  const std::vector<ChannelGroup>& groups = result.header().groups;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (std::size_t column = 0; column < groups[group].components.size(); ++column) {
      places[groups[group].name + "." + groups[group].components[column].name] = {group, column};
    }
  }
  Selection selection;
  for (const std::string& name : select_quantities(result.quantities(), patterns)) {
    const Place place = places.at(name);
    auto known = std::find(selection.groups.begin(), selection.groups.end(), place.group);
    if (known == selection.groups.end()) known = selection.groups.insert(known, place.group);
    selection.columns.push_back({static_cast<std::size_t>(known - selection.groups.begin()), place.column});
    const std::string& unit = groups[place.group].components[place.column].unit;
    selection.titles.push_back(csv_title(name, unit));
  }
  return selection;
}

}  // namespace

void export_csv(const ResultReader& result, const std::vector<std::string>& patterns, std::ostream& out) {
  export_csv(result, patterns, out, {0, result.sample_count(), 1});
}

void export_csv(const ResultReader& result, const std::vector<std::string>& patterns, std::ostream& out,
                const SampleRange& samples) {
  const Selection selection = find_columns(result, patterns);
  std::string text = "time [s]";
  for (const std::string& title : selection.titles) text += "," + csv_quoted(title);
  text += "\n";
  out.write(text.data(), static_cast<std::streamsize>(text.size()));

  const std::vector<double> times = result.times();
  std::vector<std::vector<double>> blocks(selection.groups.size());
  for (std::size_t first = samples.first; first < samples.last && out; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, samples.last - first);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].resize(count * result.header().groups[selection.groups[i]].components.size());
      result.read_rows(selection.groups[i], first, count, blocks[i]);
    }
    text.clear();
    for (std::size_t row = 0; row < count; ++row) {
      if ((first + row - samples.first) % samples.stride != 0) continue;
      add_csv_number(text, times[first + row]);
      for (const Column& column : selection.columns) {
        const std::vector<double>& block = blocks[column.group];
        text += ',';
        add_csv_number(text, block[row * (block.size() / count) + column.column]);
      }
      text += '\n';
    }
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  out.flush();
  if (!out) throw ResultError("the table of " + result.path().string() + " could not be written; is the disk full?");
}

}  // namespace carom::inline exports
