#include "studies/wear_blocks.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "documents/check_value.h"
#include "model/contact_names.h"

namespace carom::inline studies {

const char* const wear_block_columns =
    "block,cycles,contact,radial clearance [m],force x distance [N m],bearing volume [m^3],journal volume "
    "[m^3],bearing "
    "growth [m],journal growth [m],deepest bearing wear [m]";

std::string csv_of(const WearBlock& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.block, row.cycles, row.contact, row.clearance,
                     row.force_distance, row.bearing_volume, row.journal_volume, row.bearing_growth, row.journal_growth,
                     row.bearing_depth);
}

std::optional<WearBlock> read_wear_block(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  if (parts.size() != 10) return std::nullopt;
  try {
    return WearBlock{std::stoi(parts[0]), std::stod(parts[1]), parts[2],
                     std::stod(parts[3]), std::stod(parts[4]), std::stod(parts[5]),
                     std::stod(parts[6]), std::stod(parts[7]), std::stod(parts[8]),
                     std::stod(parts[9])};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

namespace {

std::vector<ElementModel*> worn_joints(Model& model, const std::vector<std::string>& contacts) {
  std::vector<ElementModel*> joints;
  std::vector<std::string> names;
  for (ElementModel& joint : model.joints) {
    if (!joint.clearance) continue;
    const std::string name = "joint:" + joint.name;
    names.push_back(name);
    if (belongs_to_any(name, contacts)) joints.push_back(&joint);
  }
  for (const std::string& asked : contacts) {
    const auto fits = [&](const std::string& name) { return belongs_to(name, asked); };
    if (!names.empty() && std::none_of(names.begin(), names.end(), fits))
      refuse("CONTACT", carom::quoted(asked), "joints with clearance: " + alternatives(names),
             did_you_mean(asked, names));
  }
  if (joints.empty())
    refuse("CONTACT", "no joint with clearance that is asked for", "a joint with [joint.clearance]",
           "clearances of joints grow; `carom wear RESULT` reports the wear of all contacts");
  return joints;
}

void enlarge(ElementModel& joint, const WearBlock& row) {
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

WearBlock row_of(const ContactWear& wear, const ElementModel& joint, bool mean) {
  if (!wear.missing.empty()) refuse(wear.contact, "nothing to wear by", wear.missing);
  if (!wear.joint) refuse(wear.contact, "no depths", wear.no_depth);
  const ClearanceModel& clearance = *joint.clearance;
  WearBlock row;
  row.contact = wear.contact;
  row.clearance = clearance.radial;
  row.force_distance = wear.force_distance;
  row.bearing_volume = wear.joint->bearing_volume(), row.journal_volume = wear.joint->journal_volume();
  row.bearing_depth = wear.largest_bearing_depth();
  const double length = wear.joint->length();
  row.bearing_growth =
      mean ? worn_depth(row.bearing_volume, 2 * M_PI * clearance.bearing_radius * length) : row.bearing_depth;
  row.journal_growth =
      mean ? worn_depth(row.journal_volume, 2 * M_PI * (clearance.bearing_radius - clearance.radial) * length)
           : wear.largest_journal_depth();
  return row;
}

}  // namespace

WearBlocks::WearBlocks(Model model, const WearBlocksRequest& request)
    : model_(std::move(model)),
      joints_(worn_joints(model_, request.contacts)),
      wear_{.contacts = {}, .repeats = request.cycles, .sectors = request.sectors},
      mean_growth_(request.mean_growth),
      cycles_(request.cycles) {
  record_for_wear(model_, joints_);
  for (const ElementModel* joint : joints_) wear_.contacts.push_back("joint:" + joint->name);
  if (request.from) wear_.from = *request.from;
}

std::vector<std::pair<std::string, double>> WearBlocks::clearances() const {
  std::vector<std::pair<std::string, double>> all;
  for (const ElementModel* joint : joints_) all.emplace_back("joint:" + joint->name, joint->clearance->radial);
  return all;
}

void WearBlocks::take(const WearBlock& row) {
  enlarge(*joints_[rows_.size() % joints_.size()], row);
  rows_.push_back(row);
}

const Model& WearBlocks::next_model() {
  model_.text.clear();  // the result holds the model with the clearances of now
  say_clearances(model_);
  return model_;
}

void WearBlocks::add_block(const ResultReader& result) {
  const int block = finished() + 1;
  const auto worn = contact_wear(result, model_, wear_);
  for (const ElementModel* joint : joints_) {
    const auto own = std::find_if(worn.begin(), worn.end(),
                                  [&](const ContactWear& each) { return each.contact == "joint:" + joint->name; });
    WearBlock row = row_of(*own, *joint, mean_growth_);
    row.block = block, row.cycles = cycles_ * block;
    take(row);
  }
}

}  // namespace carom::inline studies
