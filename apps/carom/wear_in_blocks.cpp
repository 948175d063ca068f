#include "wear_in_blocks.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/result_reader.h"
#include "recording/write_csv.h"
#include "run_with_progress.h"
#include "studies/wear_blocks.h"
#include "temporary_folder.h"
#include "text_columns.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

// What decides the rows, as the first line of the table: another line means other rows.
std::string heading_of(const WearArguments& arguments, const Model& model, double cycles) {
  std::string text = fmt::format("# wear of {}: {} blocks of {:g} cycles, growth {}, method {}", arguments.file,
                                 arguments.blocks, cycles, arguments.growth, name_of(model.solver.method));
  if (!arguments.from.empty()) text += ", from " + arguments.from;
  for (const std::string& each : arguments.set) text += ", " + each;
  for (const std::string& each : arguments.contacts) text += ", " + each;
  return text;
}

// Finished blocks of a table that was begun before. A last line that was cut off is left out.
std::vector<WearBlock> finished_rows(const std::string& file, const std::string& heading, std::size_t joints) {
  std::vector<WearBlock> rows;
  std::ifstream stream(file);
  if (!stream) return rows;
  std::string line;
  if (!std::getline(stream, line)) return rows;
  if (line != heading && replaces_by_force()) return rows;
  if (line != heading)
    refuse("--output", carom::quoted(file) + ", a table of something else", "a new file, or the table of this study",
           fmt::format("it begins with \"{}\", this study with \"{}\"; --force replaces it", line, heading));
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const auto row = read_wear_block(line);
    if (!row || (stream.eof() && line.back() != '\n' && !row)) break;
    rows.push_back(*row);
  }
  rows.resize(rows.size() - rows.size() % joints);
  return rows;
}

void print_head(const WearArguments& arguments, double cycles) {
  fmt::print("{}: {} blocks of {:g} cycles\n", arguments.file, arguments.blocks, cycles);
  fmt::print("  {:>5}{:>12}  {}{:>16}{:>18}{:>16}{:>16}{:>18}\n", "block", "cycles", padded("joint", 20), "clearance",
             "force × distance", "bearing", "journal", "deepest, bearing");
}

void print_row(const WearBlock& row) {
  const auto unit = [](double value, double factor, const char* name) {
    return fmt::format("{:.5g} {}", factor * value, name);
  };
  fmt::print("  {:>5}{:>12.4g}  {}{:>16}{:>18}{:>16}{:>16}{:>18}\n", row.block, row.cycles, padded(row.contact, 20),
             unit(row.clearance, 1e6, "µm"), unit(row.force_distance, 1, "N m"), unit(row.bearing_growth, 1e6, "µm"),
             unit(row.journal_growth, 1e6, "µm"), unit(row.bearing_depth, 1e6, "µm"));
  std::fflush(stdout);
}

void draw_blocks(const WearBlocks& blocks, const std::string& file) {
  const auto joints = blocks.clearances();
  Figure figure{.title = "Clearances that wear"};
  Panel clearance{.title = "Radial clearance", .x_label = "cycles", .y_label = "clearance [µm]"};
  Panel speed{.title = "Force times distance slid in a cycle", .x_label = "cycles", .y_label = "[N m]"};
  for (const auto& [name, radial] : joints) {
    Series growth{.label = joints.size() > 1 ? name : ""}, work{.label = growth.label};
    double before = 0;
    for (const WearBlock& row : blocks.rows()) {
      if (row.contact != name) continue;
      growth.x.push_back(before), growth.y.push_back(1e6 * row.clearance);
      work.x.push_back((before + row.cycles) / 2), work.y.push_back(row.force_distance / (row.cycles - before));
      before = row.cycles;
    }
    growth.x.push_back(before), growth.y.push_back(1e6 * radial);
    clearance.series.push_back(growth), speed.series.push_back(work);
  }
  figure.panels = {clearance, speed};
  write_figure(figure, file);
}

nlohmann::ordered_json json_of(const WearBlock& row) {
  return {{"block", row.block},
          {"cycles", row.cycles},
          {"contact", row.contact},
          {"clearance", row.clearance},
          {"force_distance", row.force_distance},
          {"bearing_volume", row.bearing_volume},
          {"journal_volume", row.journal_volume},
          {"bearing_growth", row.bearing_growth},
          {"journal_growth", row.journal_growth},
          {"bearing_depth", row.bearing_depth}};
}

// The table of blocks as it grows; empty name: none is kept.
class BlockTable {
 public:
  BlockTable(const std::string& file, const std::string& heading, const std::vector<WearBlock>& finished)
      : file_(file) {
    text_ = heading + '\n' + wear_block_columns + '\n';
    add(finished);
  }
  void add(std::span<const WearBlock> rows) {
    if (file_.empty()) return;
    for (const WearBlock& row : rows) text_ += csv_of(row);
    write_csv(file_, text_);
  }

 private:
  std::string file_, text_;
};

void report_clearances(const WearBlocks& blocks, const WearArguments& arguments, double cycles) {
  if (!arguments.json) {
    for (const auto& [name, radial] : blocks.clearances())
      fmt::print("  {}: radial clearance {:.5g} µm after {:g} cycles\n", name, 1e6 * radial, cycles * arguments.blocks);
    return;
  }
  nlohmann::ordered_json json = {{"file", arguments.file}, {"blocks", nlohmann::ordered_json::array()}};
  for (const WearBlock& row : blocks.rows()) json["blocks"].push_back(json_of(row));
  for (const auto& [name, radial] : blocks.clearances()) json["clearances"][name] = radial;
  fmt::print("{}\n", to_utf8(json));
}

}  // namespace

int wear_in_blocks(const WearArguments& arguments) {
  if (arguments.blocks == 0)
    refuse("--blocks", "a model file without blocks", "the number of blocks in which its clearances grow",
           "for example --blocks 10 --cycles 1e6; the wear of one run is reported by `carom wear RESULT`");
  Model model = load_model(arguments.file, arguments.set);
  choose_method(model, arguments.method);
  const double cycles = quantity_option("--cycles", arguments.cycles, "") / arguments.blocks;
  const std::string heading = heading_of(arguments, model, cycles);
  WearBlocksRequest request{.contacts = arguments.contacts,
                            .cycles = cycles,
                            .sectors = arguments.sectors,
                            .mean_growth = arguments.growth == "mean"};
  if (!arguments.from.empty()) request.from = quantity_option("--from", arguments.from, "s");
  WearBlocks blocks(std::move(model), request);
  const auto show = [&](std::span<const WearBlock> rows) {
    if (arguments.json) return;
    for (const WearBlock& row : rows) print_row(row);
  };

  std::vector<WearBlock> before;
  if (!arguments.output.empty()) before = finished_rows(arguments.output, heading, blocks.joint_count());
  if (!arguments.plot.empty()) require_replaceable(arguments.plot);  // before hours of computation
  BlockTable table(arguments.output, heading, before);
  if (!arguments.json) print_head(arguments, cycles);
  for (const WearBlock& row : before) blocks.take(row);
  show(before);
  std::optional<TemporaryFolder> temporary;
  if (!arguments.results.empty()) fs::create_directories(arguments.results);
  const fs::path folder = arguments.results.empty() ? temporary.emplace().path() : fs::path(arguments.results);
  while (blocks.finished() < arguments.blocks) {
    const fs::path file = folder / fmt::format("block_{:03}.h5", blocks.finished() + 1);
    const RunSummary summary =
        run_with_progress(blocks.next_model(), file, bar_unless(arguments.quiet || arguments.json));
    if (summary.status != RunStatus::complete) {
      if (temporary) temporary->keep();
      report_end(summary, file);
      if (!arguments.output.empty())
        fmt::print(stderr, "carom: {} blocks are in {}; the same command goes on from there\n", blocks.finished(),
                   arguments.output);
      return exit_failed;
    }
    blocks.add_block(ResultReader(file));
    const auto added = std::span(blocks.rows()).last(blocks.joint_count());
    table.add(added);
    show(added);
  }
  report_clearances(blocks, arguments, cycles);
  if (!arguments.plot.empty()) draw_blocks(blocks, arguments.plot);
  return exit_done;
}

}  // namespace carom
