#include "model_io/read_race_faults.h"

#include <cmath>

#include <fmt/format.h>

#include "bearings/geometry.h"

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
  int balls = 0, rows = 1;                // balls of one row
  double of(const SpallModel& spall) const { return spall.ball > 0 ? ball : of(spall.race); }
  double of(Race race) const { return race == Race::inner ? inner : outer; }
};

Sizes sizes_of(const BearingModel& bearing) {
  const RollingGeometry geometry = stated_geometry(bearing.element.settings);
  const double ball = geometry.element_diameter / 2, pitch = geometry.pitch_diameter / 2;
  const double reach = ball * std::cos(geometry.contact_angle);
  return {ball, pitch - reach, pitch + reach, geometry.elements, static_cast<int>(geometry.rows.size())};
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

  // As `race` and `row`, or `ball`, say.
  static std::string whose(const SpallModel& spall) {
    if (spall.ball > 0) return fmt::format("ball {}", spall.ball);
    return name_of(spall.race) + " race" + (spall.row > 1 ? fmt::format(" of row {}", spall.row) : "");
  }

  bool check_place_of_spall(std::size_t index) {
    const SpallModel& spall = spalls_[index];
    const Node& item = (*list_of(table_, "spall"))[index];
    const bool race = item.find("race"), ball = item.find("ball"), row = item.find("row");
    if (race == ball) {
      complain("spall", index, "race",
               {race ? "both `race` and `ball`" : "neither `race` nor `ball`", "one of them",
                "say which race it has broken out of, or which ball"});
    } else if (ball && row) {
      complain("spall", index, "row",
               {"it beside `ball`", "it with `race`", "leave it out: balls of all rows are counted"});
    } else if (spall.ball > sizes_.balls * sizes_.rows) {
      complain("spall", index, "ball",
               {std::to_string(spall.ball), fmt::format("at most {}, as many as there are", sizes_.balls * sizes_.rows),
                ""});
    } else if (spall.row > sizes_.rows) {
      complain("spall", index, "row",
               {std::to_string(spall.row), fmt::format("at most {}, as many as there are", sizes_.rows), ""});
    } else {
      return true;
    }
    return false;
  }

  void check_spall(std::size_t index) {
    const SpallModel& spall = spalls_[index];
    const double radius = sizes_.of(spall);
    if (!check_place_of_spall(index)) return;
    if (!(spall.extent < M_PI * radius)) {
      complain("spall", index, "extent",
               {fmt::format("{:g} m", spall.extent),
                fmt::format("less than half of the {}, {:g} m", whose(spall), M_PI * radius),
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
      if (whose(before) != whose(spall) || apart > (spall.extent + before.extent) / 2) continue;
      complain("spall", index, "angle",
               {fmt::format("a place {:g} m from the middle of another spall of the {}", apart, whose(spall)),
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

namespace {

Field<SpallModel> race_of_spall() {
  Field<SpallModel> race =
      field(&SpallModel::race, {.name = "race", .meaning = "out of which it has broken; or give `ball`"});
  race.given = [](const SpallModel& spall, bool) { return spall.ball == 0; };
  return race;
}

}  // namespace

const Fields<SpallModel>& spall_fields() {
  using S = SpallModel;
  static const Fields<S> all = {
      race_of_spall(),
      field(&S::ball, {.name = "ball",
                       .kind = ParameterKind::integer,
                       .meaning = "instead of `race`: the number of the ball out of whose track it has broken",
                       .minimum = 1,
                       .maximum = 100000}),
      field(&S::row, {.name = "row",
                      .kind = ParameterKind::integer,
                      .meaning = "of the race, in space",
                      .default_text = "{}",
                      .minimum = 1,
                      .maximum = 100}),
      field(&S::angle, {.name = "angle",
                        .unit = "rad",
                        .meaning = "of its middle, from the x axis of the body that carries the race, in space of the "
                                   "bearing; of a ball, about the axis about which it rolls at the start, from where "
                                   "it touches the outer race (in the plane from the x axis of the world)",
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

void make_uneven(const BearingModel& bearing, Race race, int row, Settings& shape) {
  std::vector<double> spalls, waves;
  for (const SpallModel& spall : spalls_of(bearing)) {
    if (spall.ball == 0 && spall.race == race && spall.row == row + 1)
      spalls.insert(spalls.end(), {spall.angle, spall.extent, spall.depth});
  }
  for (const WavinessModel& wave : waves_of(bearing)) {
    if (wave.race == race) waves.insert(waves.end(), {static_cast<double>(wave.order), wave.amplitude, wave.angle});
  }
  if (spalls.empty() && waves.empty()) return;
  if (!spalls.empty()) shape.set("spalls", spalls);
  if (!waves.empty()) shape.set("waves", waves);
  shape.set("ball_radius", bearing.ball_radius);
}

void make_uneven_ball(const BearingModel& bearing, int index, Settings& shape) {
  std::vector<double> spalls;
  for (const SpallModel& spall : spalls_of(bearing)) {
    if (spall.ball == index + 1) spalls.insert(spalls.end(), {spall.angle, spall.extent, spall.depth});
  }
  if (!spalls.empty()) shape.set("spalls", spalls);
}

}  // namespace carom::inline model_io
