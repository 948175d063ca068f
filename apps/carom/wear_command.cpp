#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "durability/contact_wear.h"
#include "in_unit.h"
#include "json_text.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/write_csv.h"
#include "simulation/recorded_model.h"
#include "text_columns.h"
#include "wear_in_blocks.h"

namespace carom {
namespace {

void print_wear(const std::vector<ContactWear>& all, const std::string& file, double repeats) {
  std::size_t width = 8;
  for (const ContactWear& wear : all) width = std::max(width, width_of(wear.contact) + 2);
  fmt::print("{}: wear of {:g} run{} like this one\n", file, repeats, repeats == 1 ? "" : "s");
  fmt::print("  {}{:>18}{:>16}{:>16}{:>18}{:>18}{:>16}\n", padded("contact", width), "force × distance", "first body",
             "second body", "deepest, bearing", "deepest, journal", "mean growth");
  for (const ContactWear& wear : all) {
    const bool known = wear.missing.empty();
    const auto volume = [&](int side) { return known ? in_unit(wear.volumes[side], 1e9, "mm³") : "not known"; };
    const auto depth = [&](double value) { return wear.joint ? in_unit(value, 1e6, "µm") : "–"; };
    fmt::print("  {}{:>18}{:>16}{:>16}{:>18}{:>18}{:>16}\n", padded(wear.contact, width),
               in_unit(wear.force_distance, 1, "N m"), volume(0), volume(1), depth(wear.largest_bearing_depth()),
               depth(wear.largest_journal_depth()), depth(wear.joint ? wear.joint->mean_growth() : 0));
  }
  for (const ContactWear& wear : all) {
    if (!wear.missing.empty()) fmt::print("  {}: no volumes: {}\n", wear.contact, wear.missing);
    if (!wear.no_depth.empty()) fmt::print("  {}: no depths: {}\n", wear.contact, wear.no_depth);
    if (wear.joint)
      fmt::print("  {}: the bearing is worn most at {:.0f}° in the axes of its body\n", wear.contact,
                 wear.bearing_angle() * 180 / M_PI);
    if (wear.journal_is_even)
      fmt::print("  {}: angles of its bodies are not recorded: the wear of the journal is spread evenly\n",
                 wear.contact);
  }
}

nlohmann::ordered_json json_of(const ContactWear& wear) {
  nlohmann::ordered_json json = {{"contact", wear.contact}, {"force_distance", wear.force_distance}};
  if (!wear.missing.empty()) {
    json["missing"] = wear.missing;
    return json;
  }
  json["materials"] = wear.materials;
  json["specific_rates"] = wear.rates;
  json["volumes"] = wear.volumes;
  if (!wear.joint) return json;
  json["bearing_depth"] = wear.largest_bearing_depth();
  json["bearing_angle"] = wear.bearing_angle();
  json["journal_depth"] = wear.largest_journal_depth();
  json["mean_growth"] = wear.joint->mean_growth();
  return json;
}

// Depths all around the joints.
std::string profile_csv(const std::vector<ContactWear>& all, std::size_t sectors) {
  std::string text = "contact,angle [rad],depth of the bearing [m],depth of the journal [m]\n";
  for (const ContactWear& wear : all) {
    for (std::size_t s = 0; wear.joint && s < sectors; ++s) {
      const double angle = 2 * M_PI * static_cast<double>(s) / static_cast<double>(sectors);
      text += fmt::format("\"{}\",{},{},{}\n", wear.contact, angle, wear.joint->bearing_depth(angle),
                          wear.joint->journal_depth(angle));
    }
  }
  return text;
}

void draw_profiles(const std::vector<ContactWear>& all, std::size_t sectors, const std::string& file) {
  Figure figure{.title = "Wear around the joints"};
  for (const ContactWear& wear : all) {
    if (!wear.joint) continue;
    Series bearing{.label = "bearing"}, journal{.label = "journal"};
    for (std::size_t s = 0; s <= sectors; ++s) {
      const double angle = 2 * M_PI * static_cast<double>(s) / static_cast<double>(sectors);
      bearing.x.push_back(angle * 180 / M_PI), bearing.y.push_back(1e6 * wear.joint->bearing_depth(angle));
      journal.x.push_back(angle * 180 / M_PI), journal.y.push_back(1e6 * wear.joint->journal_depth(angle));
    }
    figure.panels.push_back({.title = wear.contact,
                             .x_label = "angle in the axes of the part [°]",
                             .y_label = "depth [µm]",
                             .series = {bearing, journal}});
  }
  if (figure.panels.empty())
    throw ResultError("no joint has depths to draw; give `length` in its [joint.clearance] and record the joint");
  write_figure(figure, file);
}

int wear_of_result(const WearArguments& arguments) {
  if (arguments.blocks > 0)
    refuse("--blocks", "a result file, which has been run", "a model file (.toml), which is run block by block",
           "give the model");
  const ResultReader result(arguments.file);
  const Model model = model_of(result);
  const double repeats = quantity_option("--cycles", arguments.cycles, "");
  WearRequest request{.contacts = arguments.contacts, .repeats = repeats, .sectors = arguments.sectors};
  if (!arguments.from.empty()) request.from = quantity_option("--from", arguments.from, "s");
  const auto all = contact_wear(result, model, request);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.file}, {"cycles", repeats}};
    for (const ContactWear& wear : all) json["contacts"].push_back(json_of(wear));
    fmt::print("{}\n", to_utf8(json));
  } else {
    print_wear(all, arguments.file, repeats);
  }
  if (!arguments.output.empty()) write_csv(arguments.output, profile_csv(all, arguments.sectors));
  if (!arguments.plot.empty()) draw_profiles(all, arguments.sectors, arguments.plot);
  return exit_done;
}

}  // namespace

void add_wear_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<WearArguments>();
  Command command = app.add_subcommand("wear", "Wear of contacts; of a model also its growing clearances");
  command.add_option("FILE", arguments->file, "result file (HDF5), or a model (.toml), which is run in --blocks blocks")
      .required();
  command.add_option("CONTACT", arguments->contacts, "contacts or patterns such as joint:*; default: all");
  command
      .add_option("--cycles", arguments->cycles,
                  "runs like this one that are to be worn away; of a model, in all blocks together")
      .show_default();
  command.add_option("--from", arguments->from, "time from which on wear counts, to leave out the start");
  command.add_option("--sectors", arguments->sectors, "around a joint").range(8, 3600).show_default();
  command
      .add_option("--blocks", arguments->blocks,
                  "of a model: blocks of cycles, after each of which its clearances grow")
      .range(1, 100000);
  command
      .add_option("--growth", arguments->growth,
                  "of a model: clearances grow by the mean wear around the joint, or by the largest")
      .one_of({"mean", "largest"})
      .show_default();
  command.add_option("--method", arguments->method, "of a model: compliant or nonsmooth; default: that of the model");
  command.add_option("--set", arguments->set, "of a model: replace a parameter, NAME=VALUE (repeatable)")
      .one_value_each();
  command.add_option("--results", arguments->results, "of a model: folder that keeps the result of each block");
  command.add_option("-o,--output", arguments->output,
                     "table (CSV): depths around the joints; of a model a row for each block and joint, written as the "
                     "blocks end; if it is there, finished blocks are taken from it");
  command.add_option("--plot", arguments->plot, "draw depths around the joints, or clearances over cycles");
  command.add_flag("--quiet", arguments->quiet, "no progress bar");
  command.add_flag("--json", arguments->json, "as JSON");
  command.callback([arguments, &exit_code] {
    const bool is_model = std::filesystem::path(arguments->file).extension() == ".toml";
    exit_code = is_model ? wear_in_blocks(*arguments) : wear_of_result(*arguments);
  });
}

}  // namespace carom
