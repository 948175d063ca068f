#include "durability/contact_wear.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "force_recovery/contact_surfaces.h"
#include "joints/joint.h"
#include "recording/asked_contacts.h"

namespace carom::inline durability {

class WearReader {
 public:
  WearReader(const ResultReader& result, const Model& model, const WearRequest& request)
      : result_(result), model_(model), request_(request), time_(result.times()), quantities_(result.quantities()) {}

  std::vector<ContactWear> read() {
    const std::string file = result_.path().string();
    if (result_.header().event_kinds.empty())
      throw ResultError(fmt::format("{} has no contacts: nothing slides in its model", file));
    const std::vector<std::string> names = contact_groups(model_);
    require_contacts(request_.contacts, names, {}, file);
    if (!time_.empty() && !(time_.back() > request_.from))
      throw ResultError(fmt::format("{} ends at {:g} s, before --from {:g} s", file, time_.back(), request_.from));
    std::vector<ContactWear> all;
    for (const std::string& name : names) {
      if (!belongs_to_any(name, request_.contacts)) continue;
      if (!has(name + ".force_distance"))
        throw ResultError(fmt::format(
            "{} does not hold {}.force_distance, which wear grows with: add \"{}\" to `record` in [output] and "
            "run the model again",
            file, name, name));
      all.push_back(wear_of(name));
    }
    return all;
  }

 private:
  bool has(const std::string& quantity) const {
    return std::find(quantities_.begin(), quantities_.end(), quantity) != quantities_.end();
  }

  ContactWear wear_of(const std::string& name) {
    ContactWear wear;
    wear.contact = name;
    wear.sectors_ = request_.sectors;
    const ContactSurfaces surfaces = contact_surfaces(model_, name);
    // What was worn in the interval that ends with each sample.
    std::vector<double> worn = result_.column(name + ".force_distance");
    for (std::size_t k = worn.size(); k-- > 1;)
      worn[k] = time_[k] > request_.from ? request_.repeats * (worn[k] - worn[k - 1]) : 0;
    if (!worn.empty()) worn[0] = 0;
    for (const double each : worn) wear.force_distance += each;
    take_rates(surfaces, wear);
    for (int side : {0, 1}) wear.volumes[side] = wear.rates[side] * wear.force_distance;
    if (wear.missing.empty()) resolve_joint(surfaces, worn, wear);
    return wear;
  }

  static void take_rates(const ContactSurfaces& surfaces, ContactWear& wear) {
    for (int side : {0, 1}) {
      const Material* material = surfaces.materials[side];
      if (!material) {
        wear.missing = surfaces.joint ? "no materials: give `materials` in its [joint.clearance]"
                                      : "no materials: give `materials` in its [[pair]], or `material` to its shapes";
        return;
      }
      wear.materials[side] = material->name;
      if (!(material->hardness > 0) || !(material->wear_coefficient >= 0)) {
        wear.missing = fmt::format("give `{}` in [material.{}]",
                                   material->hardness > 0            ? "wear_coefficient"
                                   : material->wear_coefficient >= 0 ? "hardness"
                                                                     : "hardness` and `wear_coefficient",
                                   material->name);
        return;
      }
      wear.rates[side] = specific_wear_rate(material->wear_coefficient, material->hardness);
    }
  }

  // Angle of a body over time; empty: not recorded.
  std::vector<double> angle_of(const std::string& body) const {
    if (body == "ground") return std::vector<double>(time_.size(), 0.0);
    return has("body:" + body + ".angle") ? result_.column("body:" + body + ".angle") : std::vector<double>{};
  }

  void resolve_joint(const ContactSurfaces& surfaces, const std::vector<double>& worn, ContactWear& wear) const {
    if (!surfaces.joint) return;
    const ElementModel& joint = *surfaces.joint;
    const ClearanceModel& clearance = *joint.clearance;
    const std::string& name = wear.contact;
    const LooseTraits* loose = find_loose(joint.type, model_.planar);
    if (!model_.planar || !loose || !loose->is_round) {
      wear.no_depth = "depths around the joint are reported for round bearings of planar models";
      return;
    }
    if (!(surfaces.line_length > 0)) {
      wear.no_depth = "give `length` in its [joint.clearance] for depths";
      return;
    }
    if (!has(name + ".ex") || !has(name + ".ey")) {
      wear.no_depth = fmt::format("record \"{}\" for depths around the joint", name);
      return;
    }
    const int bearing = clearance.bearing_second ? 1 : 0;
    wear.joint.emplace(clearance.bearing_radius - clearance.radial, clearance.bearing_radius, surfaces.line_length,
                       wear.rates[1 - bearing], wear.rates[bearing], request_.sectors);
    const auto ex = result_.column(name + ".ex"), ey = result_.column(name + ".ey");
    const auto bodies = joint.settings.names("bodies");
    const auto turn_bearing = angle_of(bodies[bearing]), turn_journal = angle_of(bodies[1 - bearing]);
    wear.journal_is_even = turn_bearing.empty() || turn_journal.empty();
    const auto angle = [&](std::size_t k) { return std::atan2(ey[k], ex[k]); };
    const auto turn = [&](std::size_t k) { return turn_bearing[k] - turn_journal[k]; };
    for (std::size_t k = 1; k < worn.size(); ++k) {
      if (!(worn[k] > 0)) continue;
      const double before = std::hypot(ex[k - 1], ey[k - 1]), now = std::hypot(ex[k], ey[k]);
      // In flight the journal is away from the wall: where it was farther out, it was in contact.
      constexpr double near_wall = 0.9;
      const bool flown = std::min(before, now) < near_wall * std::max(before, now);
      const std::size_t first = flown && before < now ? k : k - 1, last = flown && before >= now ? k - 1 : k;
      const double way = std::remainder(angle(last) - angle(first), 2 * M_PI);
      const double turned = wear.journal_is_even ? 2 * M_PI : turn(last) - turn(first);
      const double part = 0.25 * 2 * M_PI / static_cast<double>(request_.sectors);
      const int pieces = 1 + static_cast<int>(std::max(std::abs(way), std::abs(way + turned)) / part);
      for (int piece = 0; piece < pieces; ++piece) {
        const double share = (piece + 0.5) / pieces, at = angle(first) + share * way;
        wear.joint->add(worn[k] / pieces, at + (wear.journal_is_even ? 0 : turn(first)) + share * turned, at);
      }
    }
  }

  const ResultReader& result_;
  const Model& model_;
  const WearRequest& request_;
  std::vector<double> time_;
  std::vector<std::string> quantities_;
};

namespace {

// The angle of the middle of the sector where a depth is largest.
template <class Depth>
double worst_angle(std::size_t sectors, const Depth& depth) {
  double worst = 0;
  for (std::size_t s = 0; s < sectors; ++s) {
    const double angle = 2 * M_PI * static_cast<double>(s) / static_cast<double>(sectors);
    if (depth(angle) > depth(worst)) worst = angle;
  }
  return worst;
}

}  // namespace

double ContactWear::bearing_angle() const {
  return joint ? worst_angle(sectors_, [this](double angle) { return joint->bearing_depth(angle); }) : 0;
}

double ContactWear::largest_bearing_depth() const {
  return joint ? joint->bearing_depth(bearing_angle()) : 0;
}

double ContactWear::largest_journal_depth() const {
  if (!joint) return 0;
  return joint->journal_depth(worst_angle(sectors_, [this](double angle) { return joint->journal_depth(angle); }));
}

std::vector<ContactWear> contact_wear(const ResultReader& result, const Model& model, const WearRequest& request) {
  return WearReader(result, model, request).read();
}

}  // namespace carom::inline durability
