#include <algorithm>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "documents/check_value.h"
#include "durability/bearing_life.h"
#include "recording/select_quantities.h"
#include "studies/reductions.h"
#include "studies/study_channels.h"
#include "verification/answers.h"

// Which answers a model has.
namespace carom::inline verification {
namespace {

using Kind = AnswerSource::Kind;

AnswerSource by_samples(std::vector<std::string> of, const std::string& reduction) {
  return {.kind = Kind::samples, .quantity = {.name = reduction, .of = std::move(of), .reduce = reduction}};
}

AnswerSource by_events(Kind kind, const std::string& contact, const std::string& value = {},
                       const std::string& column = {}) {
  return {.kind = kind, .quantity = {.name = value, .of = {contact}}, .value = value, .column = column};
}

// So many of a list, in even distances.
std::vector<std::string> some_of(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return names;
  std::vector<std::string> chosen;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(names[k * names.size() / most]);
  return chosen;
}

// As the model's bearing says it, for the rating of ISO 281.
BallBearing geometry_of(const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  const double ball = 2 * bearing.ball_radius;
  const auto groove = [&](std::size_t race) {
    const bool given = settings.has("groove_radius");
    const std::vector<double> numbers = settings.numbers(given ? "groove_radius" : "conformity");
    if (numbers.empty()) return 0.52 * ball;
    return numbers[numbers.size() == 2 ? race : 0] * (given ? 1 : ball);
  };
  BallBearing geometry;
  geometry.balls = static_cast<int>(bearing.balls.size());
  geometry.ball_diameter = ball;
  geometry.pitch_diameter = bearing.inner_radius + bearing.outer_radius;
  geometry.inner_groove_radius = groove(0), geometry.outer_groove_radius = groove(1);
  return geometry;
}

// The list of answers as it grows.
class Chooser {
 public:
  explicit Chooser(const Model& model) : model_(model), channels_(find_channels(model)) {
    statics_ = model.solver.analysis == Analysis::statics;
  }

  std::vector<ModelAnswer> choose() {
    const bool moves = model_.solver.analysis == Analysis::dynamic;
    for (const std::string& contact : some_of(moves ? contacts() : std::vector<std::string>(), most_subjects))
      add_contact(contact);
    for (const std::string& group : groups_of("joint:"))
      if (!is_contact(group)) add_joint(group);
    for (const std::string& group : groups_of("motion:")) add_motion(group);
    for (const std::string& group : outside_bearings("force:"))
      add(group, "largest force", {group + ".force"}, extreme());
    for (const BearingModel& bearing : model_.bearings) add_bearing(bearing);
    for (const std::string& group : groups_of("beam:")) add_beam(group);
    for (const std::string& group : some_of(bodies(), most_subjects)) add_body(group);
    add_energies();
    return std::move(answers_);
  }

 private:
  bool has(const std::string& name) const { return channels_.units.contains(name); }
  bool is_contact(const std::string& group) const {
    return std::find(channels_.contact_groups.begin(), channels_.contact_groups.end(), group) !=
           channels_.contact_groups.end();
  }
  // Those of balls in bearings are many, and one tells what the others tell: the bearing speaks for them.
  std::vector<std::string> contacts() const {
    std::vector<std::string> names = channels_.contact_groups;
    std::erase_if(names, [&](const std::string& name) { return is_in_bearing(name, "contact:"); });
    return names;
  }
  bool is_in_bearing(const std::string& name, const std::string& prefix) const {
    return std::any_of(model_.bearings.begin(), model_.bearings.end(), [&](const BearingModel& bearing) {
      return name.starts_with(prefix + bearing.element.name + "-");
    });
  }
  std::vector<std::string> outside_bearings(const std::string& prefix) const {
    std::vector<std::string> names = groups_of(prefix);
    std::erase_if(names, [&](const std::string& name) { return is_in_bearing(name, prefix); });
    return names;
  }
  // Of the nodes of a beam those in its middle and at its end; of the balls of a bearing none.
  std::vector<std::string> bodies() const {
    std::vector<std::string> names = outside_bearings("body:");
    for (const std::string& beam : groups_of("beam:")) {
      const std::string prefix = "body:" + beam.substr(std::string("beam:").size()) + "-";
      const auto is_node = [&](const std::string& name) { return name.starts_with(prefix); };
      const auto nodes = std::count_if(names.begin(), names.end(), is_node);
      std::ptrdiff_t node = 0;
      std::erase_if(names,
                    [&](const std::string& name) { return is_node(name) && node++ != nodes / 2 && node != nodes; });
    }
    return names;
  }
  std::vector<std::string> groups_of(const std::string& prefix) const {
    std::vector<std::string> groups;
    for (const std::string& group : channels_.groups)
      if (group.starts_with(prefix)) groups.push_back(group);
    return groups;
  }
  // Loads of a static analysis grow, and those at the end are the answer.
  std::string extreme() const { return statics_ ? "final" : "peak"; }

  ModelAnswer* add(const std::string& subject, const std::string& what, std::vector<std::string> of,
                   const std::string& reduction, const std::string& part = {}) {
    std::erase_if(of, [&](const std::string& name) { return !has(name); });
    if (of.empty()) return nullptr;
    const std::string unit = channels_.units.at(of.front());
    const AnswerSource source = by_samples(std::move(of), reduction);
    answers_.push_back({subject, what, part, unit, source, source});
    return &answers_.back();
  }

  void add_contact(const std::string& contact) {
    answers_.push_back({contact, "largest force", "", "N", by_events(Kind::largest_of_events, contact, "peak_force"),
                        by_events(Kind::largest_of_events, contact, "peak_force", contact + ".closed_force")});
    ModelAnswer impulse{contact, "normal impulse", "", "N s", by_samples({contact + ".normal_force"}, "integral"), {}};
    impulse.nonsmooth = {.kind = Kind::sum, .quantity = {.name = "impulse", .of = {contact + ".normal_impulse"}}};
    answers_.push_back(std::move(impulse));
    const AnswerSource count = by_events(Kind::count_of_events, contact);
    answers_.push_back({contact, "contacts that begin", "", "1", count, count, true});
    answers_.push_back({contact,
                        "largest penetration",
                        "",
                        "m",
                        by_events(Kind::largest_of_events, contact, "largest_penetration"),
                        {}});
    add(contact, "energy lost", {contact + ".dissipated"}, "final");
  }

  void add_joint(const std::string& joint) {
    const std::string what = statics_ ? "force" : "largest force";
    if (!add(joint, what, {joint + ".fx", joint + ".fy", joint + ".fz"}, extreme()))
      add(joint, what, {joint + ".force"}, extreme());
  }

  void add_motion(const std::string& motion) {
    add(motion, statics_ ? "force" : "largest force", {motion + ".force"}, extreme());
    if (!statics_) add(motion, "work", {motion + ".work"}, "final");
  }

  void add_bearing(const BearingModel& bearing) {
    const std::string group = "bearing:" + bearing.element.name;
    add(group, "largest load of a ball", {group + ".largest_load"}, "max");
    if (statics_ || !has(group + ".fx")) return;
    add(group, "equivalent load", {group + ".fx", group + ".fy"}, "power_mean");
    const BallBearing geometry = geometry_of(bearing);
    if (geometry.balls == 0) return;
    if (ModelAnswer* life = add(group, "life L10 in turns", {group + ".fx", group + ".fy"}, "life")) {
      life->unit = "1";
      for (AnswerSource* source : {&life->compliant, &life->nonsmooth})
        source->quantity.rating = dynamic_load_rating(geometry);
    }
  }

  void add_beam(const std::string& beam) {
    add(beam, "largest stress", {beam + ".largest_stress"}, "max");
    add(beam, "strain energy at the end", {beam + ".strain_energy"}, "final");
  }

  void add_body(const std::string& body) {
    for (const char* part : {"x", "y", "z", "angle", "qw", "qx", "qy", "qz"})
      add(body, "position at the end", {body + "." + part}, "final", part);
    if (statics_) return;
    for (const char* part : {"vx", "vy", "vz", "omega", "wx", "wy", "wz"})
      add(body, "velocity at the end", {body + "." + part}, "final", part);
  }

  void add_energies() {
    for (const char* part : {"kinetic", "potential", "supplied", "dissipated"})
      add("energy", "at the end", {std::string("energy.") + part}, "final", part);
  }

  const Model& model_;
  const StudyChannels channels_;
  bool statics_ = false;
  std::vector<ModelAnswer> answers_;
};

void refuse_reduction(const std::string& name) {
  const std::vector<std::string> known = answer_reductions();
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = did_you_mean(name, known);
  refuse("--reduce", carom::quoted(name), "one of " + alternatives(known), near);
}

std::vector<std::string> chosen_quantities(const StudyChannels& channels, const std::string& pattern) {
  try {
    return select_quantities(channels.names, {pattern});
  } catch (const ResultError&) {
    const std::vector<std::string> close = close_names(pattern, channels.names);
    std::string remedy;
    for (const std::string& name : close) remedy += (remedy.empty() ? "did you mean " : ", ") + carom::quoted(name);
    refuse("--quantity", carom::quoted(pattern),
           "a quantity that runs of the model record, or a pattern such as body:*.x",
           remedy.empty() ? "`carom run` and `carom info` list them" : remedy + "?");
  }
}

}  // namespace

std::vector<std::string> answer_reductions() {
  std::vector<std::string> names;
  for (const ReductionDescription& each : reductions()) {
    const bool needs_more = each.name == "percentile" || each.name == "life" || each.name == "damage" ||
                            each.name == "equivalent_range" || each.name.starts_with("lyapunov");
    if (!each.is_list && !each.of_points && !needs_more) names.push_back(each.name);
  }
  return names;
}

std::vector<ModelAnswer> usual_answers(const Model& model) {
  return Chooser(model).choose();
}

std::vector<ModelAnswer> asked_answers(const Model& model, const AskedAnswers& asked) {
  const StudyChannels channels = find_channels(model);
  for (const std::string& reduction : asked.reductions) refuse_reduction(reduction);
  std::vector<ModelAnswer> answers;
  for (const std::string& pattern : asked.quantities) {
    for (const std::string& reduction : asked.reductions) {
      if (reduction == "count_events") {
        if (!may_touch(model, channels, pattern))
          refuse("--quantity", carom::quoted(pattern), "something that touches, for --reduce count_events",
                 "such as joint:pin or contact:*");
        const AnswerSource source = by_events(Kind::count_of_events, pattern);
        answers.push_back({pattern, "contacts that begin", "", "1", source, source, true});
        continue;
      }
      for (const std::string& name : chosen_quantities(channels, pattern)) {
        const std::string own = channels.units.at(name), unit = find_reduction(reduction)->unit;
        const AnswerSource source = by_samples({name}, reduction);
        answers.push_back({name, reduction, "", unit == "*" ? own : unit == "*s" ? own + " s" : unit, source, source});
      }
    }
  }
  return answers;
}

}  // namespace carom::inline verification
