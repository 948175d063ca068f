#include "model_io/read_race_faults.h"

#include <cmath>

#include <fmt/format.h>

namespace carom::inline model_io {
namespace {

constexpr double deepest = 0.5;   // of the radius of a ball, of a spall
constexpr double steepest = 0.5;  // curvature of waves over that of a ball

ParameterDescription size_row(const std::string& name, const std::string& meaning) {
  return {.name = name, .unit = "m", .meaning = meaning, .required = true, .minimum = 0, .minimum_allowed = false};
}

// The tables below `name`; null where it is no list of tables.
const Node::List* list_of(const Node& table, const std::string& name) {
  const Node* given = table.find(name);
  return given ? given->as<Node::List>() : nullptr;
}

KeyPath key_of(const KeyPath& bearing, const std::string& name, std::size_t index) {
  return KeyPath::entry(bearing / name, index, "");
}

template <class Fault>
bool read_list(Reading& reading, const Node& table, const std::string& name, const KeyPath& bearing,
               const Fields<Fault>& fields, std::vector<Fault>& faults) {
  const Node* given = table.find(name);
  if (!given) return true;
  reading.note(bearing / name, *given);
  const Node::List* list = list_of(table, name);
  if (!list) {
    const std::string heading = "[[bearing." + name + "]]";
    reading.complain(*given, bearing / name,
                     {found_text(*given), "a list of tables", "write " + heading + " above each of them"});
    return false;
  }
  bool sound = true;
  for (const Node& item : *list) {
    const KeyPath key = key_of(bearing, name, faults.size());
    reading.note(key, item);
    if (!item.as<Node::Table>()) {
      reading.complain(item, key, {found_text(item), "a table [[bearing." + name + "]]", ""});
      return false;
    }
    read_fields(reading, item, fields, {}, key, faults.emplace_back());
    for (const ParameterDescription& row : fields.rows()) {
      if (reading.sources.broken(key / row.name) || (row.required && !item.find(row.name))) sound = false;
    }
  }
  return sound;
}

// What is to be known of the bearing.
struct Sizes {
  double ball = 0, inner = 0, outer = 0;  // m, radii; the clearance does not matter
  double of(Race race) const { return race == Race::inner ? inner : outer; }
};

Sizes sizes_of(const BearingModel& bearing) {
  const Settings& keys = bearing.element.settings;
  const double ball = keys.number("ball_diameter") / 2, pitch = keys.number("pitch_diameter") / 2;
  return {ball, pitch - ball, pitch + ball};
}

class FaultCheck {
 public:
  FaultCheck(Reading& reading, const Node& table, const KeyPath& key, const BearingModel& bearing)
      : reading_(reading),
        table_(table),
        key_(key),
        spalls_(spalls_of(bearing)),
        waves_(waves_of(bearing)),
        sizes_(sizes_of(bearing)) {}

  bool all() {
    for (std::size_t k = 0; k < spalls_.size(); ++k) check_spall(k);
    for (std::size_t k = 0; k < waves_.size(); ++k) check_wave(k);
    return sound_;
  }

 private:
  void complain(const std::string& name, std::size_t index, const std::string& key, Complaint complaint) {
    const Node& item = (*list_of(table_, name))[index];
    const Node* at = item.find(key);
    reading_.complain(at ? *at : item, key_of(key_, name, index) / key, std::move(complaint));
    sound_ = false;
  }

  void check_spall(std::size_t index) {
    const SpallModel& spall = spalls_[index];
    const double radius = sizes_.of(spall.race);
    if (!(spall.extent < M_PI * radius)) {
      complain("spall", index, "extent",
               {fmt::format("{:g} m", spall.extent),
                fmt::format("less than half of the {} race, {:g} m", name_of(spall.race), M_PI * radius),
                "nothing would be left that holds the balls; for a race that has worn round, reduce `clearance`"});
      return;
    }
    const double most = deepest * std::min(sizes_.ball, radius);
    if (!(spall.depth < most)) {
      complain("spall", index, "depth",
               {fmt::format("{:g} m", spall.depth), fmt::format("less than half the radius of a ball, {:g} m", most),
                "spalls are some tenths of a millimetre deep: check the unit"});
    }
    for (std::size_t other = 0; other < index; ++other) {
      const SpallModel& before = spalls_[other];
      const double apart = std::abs(std::remainder(spall.angle - before.angle, 2 * M_PI)) * radius;
      if (before.race != spall.race || apart > (spall.extent + before.extent) / 2) continue;
      complain(
          "spall", index, "angle",
          {fmt::format("a place {:g} m from the middle of another spall of the {} race", apart, name_of(spall.race)),
           fmt::format("more than half of both extents, {:g} m", (spall.extent + before.extent) / 2),
           "make one longer spall of them"});
      return;
    }
  }

  void check_wave(std::size_t index) {
    const WavinessModel& wave = waves_[index];
    const double bend = wave.order / sizes_.of(wave.race), most = steepest / (sizes_.ball * bend * bend);
    if (wave.amplitude < most) return;
    complain("waviness", index, "amplitude",
             {fmt::format("{:g} m in {} waves", wave.amplitude, wave.order),
              fmt::format("less than {:g} m, so that a ball reaches the bottom of every wave", most),
              "waves are some micrometres high: check the unit, or take fewer"});
  }

  Reading& reading_;
  const Node& table_;
  const KeyPath& key_;
  std::vector<SpallModel> spalls_;
  std::vector<WavinessModel> waves_;
  Sizes sizes_;
  bool sound_ = true;
};

}  // namespace

const Fields<SpallModel>& spall_fields() {
  using S = SpallModel;
  static const Fields<S> all = {
      field(&S::race, {.name = "race", .meaning = "from which it has broken out", .required = true}),
      field(&S::angle, {.name = "angle",
                        .unit = "rad",
                        .meaning = "of its middle, from the x axis of the body that carries the race",
                        .default_text = "{}"}),
      field(&S::extent, size_row("extent", "along the race, from edge to edge")),
      field(&S::depth, size_row("depth", "below the race"))};
  return all;
}

const Fields<WavinessModel>& waviness_fields() {
  using W = WavinessModel;
  static const Fields<W> all = {
      field(&W::race, {.name = "race", .meaning = "that has the waves", .required = true}),
      field(&W::order, {.name = "order",
                        .kind = ParameterKind::integer,
                        .meaning = "waves round the race: 2 makes it oval",
                        .required = true,
                        .minimum = 2,
                        .maximum = 1000}),
      field(&W::amplitude, size_row("amplitude", "by which the radius of the race is larger and smaller")),
      field(&W::angle, {.name = "angle",
                        .unit = "rad",
                        .meaning = "of a place of the largest radius, from the x axis of the race's body",
                        .default_text = "{}"})};
  return all;
}

bool read_race_faults(Reading& reading, const Node& table, const KeyPath& key, BearingModel& bearing) {
  std::vector<SpallModel> spalls;
  std::vector<WavinessModel> waves;
  const bool sound = read_list(reading, table, "spall", key, spall_fields(), spalls);
  const bool sound_waves = read_list(reading, table, "waviness", key, waviness_fields(), waves);
  set_faults(bearing, spalls, waves);
  return sound && sound_waves;
}

bool check_race_faults(Reading& reading, const Node& table, const KeyPath& key, const BearingModel& bearing) {
  return FaultCheck(reading, table, key, bearing).all();
}

void make_uneven(const BearingModel& bearing, Race race, Settings& shape) {
  std::vector<double> spalls, waves;
  for (const SpallModel& spall : spalls_of(bearing)) {
    if (spall.race == race) spalls.insert(spalls.end(), {spall.angle, spall.extent, spall.depth});
  }
  for (const WavinessModel& wave : waves_of(bearing)) {
    if (wave.race == race) waves.insert(waves.end(), {static_cast<double>(wave.order), wave.amplitude, wave.angle});
  }
  if (spalls.empty() && waves.empty()) return;
  if (!spalls.empty()) shape.set("spalls", spalls);
  if (!waves.empty()) shape.set("waves", waves);
  shape.set("ball_radius", bearing.ball_radius);
}

}  // namespace carom::inline model_io
