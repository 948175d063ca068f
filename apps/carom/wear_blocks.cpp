#include "wear_blocks.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "model/contact_names.h"
#include "model_io/check_value.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/result_reader.h"
#include "run_with_progress.h"
#include "temporary_folder.h"
#include "text_columns.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

// One joint after one block.
struct BlockRow {
  int block = 0;
  double cycles = 0;  // so far
  std::string contact;
  double clearance = 0;                           // m, radial, with which the block ran
  double force_distance = 0;                      // N m, of the block
  double bearing_volume = 0, journal_volume = 0;  // m³, of the block
  double bearing_growth = 0, journal_growth = 0;  // m, by which radii change after it
  double bearing_depth = 0;                       // m, where the bearing is worn most, of the block
};

constexpr const char* columns =
    "block,cycles,contact,radial clearance [m],force x distance [N m],bearing volume [m^3],journal volume "
    "[m^3],bearing "
    "growth [m],journal growth [m],deepest bearing wear [m]";

std::string csv_of(const BlockRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.block, row.cycles, row.contact, row.clearance,
                     row.force_distance, row.bearing_volume, row.journal_volume, row.bearing_growth, row.journal_growth,
                     row.bearing_depth);
}

std::optional<BlockRow> read_row(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  if (parts.size() != 10) return std::nullopt;
  try {
    return BlockRow{std::stoi(parts[0]), std::stod(parts[1]), parts[2],
                    std::stod(parts[3]), std::stod(parts[4]), std::stod(parts[5]),
                    std::stod(parts[6]), std::stod(parts[7]), std::stod(parts[8]),
                    std::stod(parts[9])};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// What decides the rows, as the first line of the table: another line means other rows.
std::string heading_of(const WearArguments& arguments, const Model& model, double cycles) {
  std::string text = fmt::format("# wear of {}: {} blocks of {:g} cycles, growth {}, method {}", arguments.file,
                                 arguments.blocks, cycles, arguments.growth, model.solver.method);
  if (!arguments.from.empty()) text += ", from " + arguments.from;
  for (const std::string& each : arguments.set) text += ", " + each;
  for (const std::string& each : arguments.contacts) text += ", " + each;
  return text;
}

// Finished blocks of a table that was begun before. A last line that was cut off is left out.
std::vector<BlockRow> finished_rows(const std::string& file, const std::string& heading, std::size_t joints) {
  std::vector<BlockRow> rows;
  std::ifstream stream(file);
  if (!stream) return rows;
  std::string line;
  if (!std::getline(stream, line)) return rows;
  if (line != heading)
    refuse_option("--output", carom::quoted(file) + ", a table of something else",
                  "a new file, or the table of this study",
                  fmt::format("it begins with \"{}\", this study with \"{}\"", line, heading));
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const auto row = read_row(line);
    if (!row || (stream.eof() && line.back() != '\n' && !row)) break;
    rows.push_back(*row);
  }
  rows.resize(rows.size() - rows.size() % joints);
  return rows;
}

std::vector<ElementModel*> worn_joints(Model& model, const WearArguments& arguments) {
  std::vector<ElementModel*> joints;
  std::vector<std::string> names;
  for (ElementModel& joint : model.joints) {
    if (!joint.clearance) continue;
    const std::string name = "joint:" + joint.name;
    names.push_back(name);
    if (belongs_to_any(name, arguments.contacts)) joints.push_back(&joint);
  }
  for (const std::string& asked : arguments.contacts) {
    const auto fits = [&](const std::string& name) { return belongs_to(name, asked); };
    if (!names.empty() && std::none_of(names.begin(), names.end(), fits))
      refuse_option("CONTACT", carom::quoted(asked), "joints with clearance: " + alternatives(names),
                    did_you_mean(asked, names));
  }
  if (joints.empty())
    refuse_option("CONTACT", "no joint with clearance that is asked for", "a joint with [joint.clearance]",
                  "clearances of joints grow; `carom wear RESULT` tells the wear of all contacts");
  return joints;
}

void enlarge(ElementModel& joint, const BlockRow& row) {
  joint.clearance->bearing_radius += row.bearing_growth;
  joint.clearance->radial += row.bearing_growth + row.journal_growth;
}

// What is written of a model with grids, beams or bearings is what was said of it: with the clearances of now.
void say_clearances(Model& model) {
  if (!model.said) return;
  auto said = std::make_shared<ModelParts>(*model.said);
  for (ElementModel& joint : said->joints) {
    const auto now = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const ElementModel& each) { return each.name == joint.name; });
    if (now != model.joints.end()) joint.clearance = now->clearance;
  }
  model.said = std::move(said);
}

// What the run must record for wear, besides what the model asks for.
void record_for_wear(Model& model, const std::vector<ElementModel*>& joints) {
  for (const ElementModel* joint : joints) {
    for (const char* name : {".force_distance", ".ex", ".ey"})
      model.output.record.push_back("joint:" + joint->name + name);
    for (const std::string& body : joint->settings.names("bodies"))
      if (body != "ground") model.output.record.push_back("body:" + body + ".angle");
  }
}

BlockRow row_of(const ContactWear& wear, const ElementModel& joint, const std::string& growth) {
  if (!wear.missing.empty()) refuse_option(wear.contact, "nothing to wear by", wear.missing);
  if (!wear.joint) refuse_option(wear.contact, "no depths", wear.no_depth);
  const ClearanceModel& play = *joint.clearance;
  BlockRow row;
  row.contact = wear.contact;
  row.clearance = play.radial;
  row.force_distance = wear.force_distance;
  row.bearing_volume = wear.joint->bearing_volume(), row.journal_volume = wear.joint->journal_volume();
  row.bearing_depth = wear.largest_bearing_depth();
  const double length = wear.joint->length();
  const bool mean = growth == "mean";
  row.bearing_growth =
      mean ? worn_depth(row.bearing_volume, 2 * M_PI * play.bearing_radius * length) : row.bearing_depth;
  row.journal_growth = mean ? worn_depth(row.journal_volume, 2 * M_PI * (play.bearing_radius - play.radial) * length)
                            : wear.largest_journal_depth();
  return row;
}

void print_head(const WearArguments& arguments, double cycles) {
  fmt::print("{}: {} blocks of {:g} cycles\n", arguments.file, arguments.blocks, cycles);
  fmt::print("  {:>5}{:>12}  {}{:>16}{:>18}{:>16}{:>16}{:>18}\n", "block", "cycles", padded("joint", 20), "clearance",
             "force × distance", "bearing", "journal", "deepest, bearing");
}

void print_row(const BlockRow& row) {
  const auto unit = [](double value, double factor, const char* name) {
    return fmt::format("{:.5g} {}", factor * value, name);
  };
  fmt::print("  {:>5}{:>12.4g}  {}{:>16}{:>18}{:>16}{:>16}{:>18}\n", row.block, row.cycles, padded(row.contact, 20),
             unit(row.clearance, 1e6, "µm"), unit(row.force_distance, 1, "N m"), unit(row.bearing_growth, 1e6, "µm"),
             unit(row.journal_growth, 1e6, "µm"), unit(row.bearing_depth, 1e6, "µm"));
  std::fflush(stdout);
}

void draw_blocks(const std::vector<BlockRow>& rows, const std::vector<ElementModel*>& joints, const std::string& file) {
  Figure figure{.title = "Clearances that wear"};
  Panel clearance{.title = "Radial clearance", .x_label = "cycles", .y_label = "clearance [µm]"};
  Panel speed{.title = "Force times distance slid in a cycle", .x_label = "cycles", .y_label = "[N m]"};
  for (const ElementModel* joint : joints) {
    const std::string name = "joint:" + joint->name;
    Series growth{.label = joints.size() > 1 ? name : ""}, work{.label = growth.label};
    double before = 0;
    for (const BlockRow& row : rows) {
      if (row.contact != name) continue;
      growth.x.push_back(before), growth.y.push_back(1e6 * row.clearance);
      work.x.push_back((before + row.cycles) / 2), work.y.push_back(row.force_distance / (row.cycles - before));
      before = row.cycles;
    }
    growth.x.push_back(before), growth.y.push_back(1e6 * joint->clearance->radial);
    clearance.series.push_back(growth), speed.series.push_back(work);
  }
  figure.panels = {clearance, speed};
  write_figure(figure, file);
}

nlohmann::ordered_json json_of(const BlockRow& row) {
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

}  // namespace

int wear_in_blocks(const WearArguments& arguments) {
  if (arguments.blocks == 0)
    refuse_option("--blocks", "a model file without blocks", "the number of blocks in which its clearances grow",
                  "for example --blocks 10 --cycles 1e6; the wear of one run is told by `carom wear RESULT`");
  Model model = load_model(arguments.file, arguments.set);
  choose_method(model, arguments.method);
  const std::vector<ElementModel*> joints = worn_joints(model, arguments);
  record_for_wear(model, joints);
  const double cycles = quantity_option("--cycles", arguments.cycles, "") / arguments.blocks;
  WearRequest request{.contacts = {}, .repeats = cycles, .sectors = arguments.sectors};
  for (const ElementModel* joint : joints) request.contacts.push_back("joint:" + joint->name);
  if (!arguments.from.empty()) request.from = quantity_option("--from", arguments.from, "s");

  const std::string heading = heading_of(arguments, model, cycles);
  std::vector<BlockRow> rows;
  std::ofstream table;
  if (!arguments.output.empty()) {
    rows = finished_rows(arguments.output, heading, joints.size());
    table.open(arguments.output);
    table << heading << '\n' << columns << '\n';
    for (const BlockRow& row : rows) table << csv_of(row);
    if (!table.flush()) throw ResultError(fmt::format("{} cannot be written", arguments.output));
  }
  if (!arguments.json) print_head(arguments, cycles);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    enlarge(*joints[k % joints.size()], rows[k]);
    if (!arguments.json) print_row(rows[k]);
  }
  std::optional<TemporaryFolder> temporary;
  if (!arguments.results.empty()) fs::create_directories(arguments.results);
  const fs::path folder = arguments.results.empty() ? temporary.emplace().path() : fs::path(arguments.results);
  for (int block = static_cast<int>(rows.size() / joints.size()) + 1; block <= arguments.blocks; ++block) {
    model.text.clear();  // the result holds the model with the clearances of now
    say_clearances(model);
    const fs::path file = folder / fmt::format("block_{:03}.h5", block);
    const RunSummary summary = run_with_progress(model, file, bar_unless(arguments.quiet || arguments.json));
    if (summary.status != RunStatus::complete) {
      if (temporary) temporary->keep();
      report_end(summary, file);
      if (!arguments.output.empty())
        fmt::print(stderr, "carom: {} blocks are in {}; the same command goes on from there\n", block - 1,
                   arguments.output);
      return exit_failed;
    }
    const auto worn = contact_wear(ResultReader(file), model, request);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const auto own = std::find_if(worn.begin(), worn.end(), [&](const ContactWear& each) {
        return each.contact == "joint:" + joints[k]->name;
      });
      BlockRow row = row_of(*own, *joints[k], arguments.growth);
      row.block = block, row.cycles = cycles * block;
      enlarge(*joints[k], row);
      rows.push_back(row);
      if (table.is_open()) table << csv_of(row);
      if (!arguments.json) print_row(row);
    }
    if (table.is_open() && !table.flush()) throw ResultError(fmt::format("{} cannot be written", arguments.output));
  }
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.file}, {"blocks", nlohmann::ordered_json::array()}};
    for (const BlockRow& row : rows) json["blocks"].push_back(json_of(row));
    for (const ElementModel* joint : joints) json["clearances"]["joint:" + joint->name] = joint->clearance->radial;
    fmt::print("{}\n", to_utf8(json));
  } else {
    for (const ElementModel* joint : joints)
      fmt::print("  joint:{}: radial clearance {:.5g} µm after {:g} cycles\n", joint->name,
                 1e6 * joint->clearance->radial, cycles * arguments.blocks);
  }
  if (!arguments.plot.empty()) draw_blocks(rows, joints, arguments.plot);
  return exit_done;
}

}  // namespace carom
