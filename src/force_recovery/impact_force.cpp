#include "force_recovery/impact_force.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <thread>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/roots.hpp>

#include "contact_laws/free_impact.h"

namespace carom::inline force_recovery {
namespace {

constexpr double cubic_balance = 1.7;      // of the source: how the break of the two cubics follows the restitution
constexpr double same_restitution = 1e-6;  // impacts whose restitutions differ less share a solution
constexpr std::size_t impacts_per_thread = 20000;
constexpr double small_load = 2e-3;  // of the mean force of an impact: what it changes follows a parabola
constexpr double load_steps = 16;    // of larger loads, in a decade
constexpr int most_load_steps = 90;  // above: more pressed than hit
constexpr double still = 0.01;       // of speed and load: what is slower and nearer to equilibrium is at rest
constexpr int fine_samples = 4001;
constexpr int fine_steps = 2000;

// A law may be defined from a larger restitution on.
bool is_plastic(const Impact& impact, const PulseLaw& law) {
  return impact.restitution < std::max(least_restitution, law.description->least_restitution);
}

// χ of the family; of other laws that which returns the same restitution.
double hysteresis_of(const PulseLaw& law, double restitution) {
  if (law.is_family_member()) return law.description->factor(restitution);
  return restitution >= 1 ? 0 : exact_hysteresis(restitution);
}

// The piecewise cubic δ̇/v₀ = 1 − 3 (1 + e) g² + 2 (1 + e) g³ of τ = t/T, g broken at τ = k.
class CubicPulse {
 public:
  CubicPulse(double restitution, double exponent) : e_(restitution), n_(exponent) {
    k_ = cubic_balance * e_ / (1 + cubic_balance * e_);
    const auto closes = [&](double a) {
      return k_ * k_ * k_ * a * a * a - k_ * k_ * (k_ + 1) * a * a + k_ * (k_ - 1) * a + k_ + (1 - e_) / (1 + e_);
    };
    std::uintmax_t iterations = 100;
    const auto root =
        boost::math::tools::toms748_solve(closes, 0.0, 1 / k_, boost::math::tools::eps_tolerance<double>(), iterations);
    a_ = (root.first + root.second) / 2;
    integral_ = boost::math::quadrature::gauss<double, 30>::integrate(
                    [&](double tau) { return std::pow(std::max(0.0, depth(tau)), n_); }, 0.0, k_) +
                boost::math::quadrature::gauss<double, 30>::integrate(
                    [&](double tau) { return std::pow(std::max(0.0, depth(tau)), n_); }, k_, 1.0);
  }

  double rate(double tau) const {
    const double g = blend(tau);
    return 1 - (1 + e_) * g * g * (3 - 2 * g);
  }
  // δ/(v₀ T).
  double depth(double tau) const {
    const auto primitive = [&](double slope, double from, double to) {  // of the rate, over a straight piece of g
      if (slope == 0) return 0.0;
      return (-(1 + e_) * (to * to * to - from * from * from) +
              (1 + e_) / 2 * (to * to * to * to - from * from * from * from)) /
             slope;
    };
    const double first = std::min(tau, k_);
    double sum = tau + primitive(a_, 0, a_ * first);
    if (tau > k_) sum += primitive((1 - a_ * k_) / (1 - k_), a_ * k_, blend(tau));
    return sum;
  }
  double duration(const Impact& impact) const {
    const double impulse = impact.mass * (1 + e_) * impact.speed;
    return std::pow(impulse / (impact.stiffness * std::pow(impact.speed, n_) * integral_), 1 / (n_ + 1));
  }
  // Where δ̇ = 0.
  double turning() const {
    std::uintmax_t iterations = 100;
    const auto root = boost::math::tools::toms748_solve([&](double tau) { return rate(tau); }, 0.0, 1.0, 1.0, -e_,
                                                        boost::math::tools::eps_tolerance<double>(), iterations);
    return (root.first + root.second) / 2;
  }

 private:
  double blend(double tau) const {
    return tau <= k_ ? a_ * tau : (a_ - 1) * k_ / (1 - k_) + (1 - a_ * k_) / (1 - k_) * tau;
  }
  double e_, n_, k_ = 0, a_ = 1, integral_ = 1;
};

std::vector<PulseSample> cubic_history(const Impact& impact, const PulseLaw& law, int count) {
  const CubicPulse pulse(impact.restitution, impact.exponent);
  const double duration = pulse.duration(impact), chi = hysteresis_of(law, impact.restitution);
  std::vector<PulseSample> samples(count);
  for (int i = 0; i < count; ++i) {
    const double tau = static_cast<double>(i) / (count - 1);
    PulseSample& sample = samples[i];
    sample.time = tau * duration;
    sample.rate = impact.speed * pulse.rate(tau);
    sample.penetration = i == 0 || i == count - 1 ? 0 : std::max(0.0, impact.speed * duration * pulse.depth(tau));
    sample.force =
        impact.stiffness * std::pow(sample.penetration, impact.exponent) * (1 + chi * sample.rate / impact.speed);
  }
  return samples;
}

ImpactPulse cubic_pulse(const Impact& impact, const PulseLaw& law) {
  const CubicPulse pulse(impact.restitution, impact.exponent);
  ImpactPulse result;
  result.duration = pulse.duration(impact);
  const double turning = pulse.turning();
  result.compression = turning * result.duration;
  result.max_penetration = impact.speed * result.duration * pulse.depth(turning);
  result.impulse = impact.mass * (1 + impact.restitution) * impact.speed;
  result.restitution = impact.restitution;
  const double chi = hysteresis_of(law, impact.restitution);
  // The force has one maximum, before the deepest point.
  const auto force = [&](double tau) {
    return -impact.stiffness *
           std::pow(std::max(0.0, impact.speed * result.duration * pulse.depth(tau)), impact.exponent) *
           (1 + chi * pulse.rate(tau));
  };
  double low = 0, high = 1;
  for (int k = 0; k < 100 && high - low > 1e-12; ++k) {
    const double a = low + 0.381966 * (high - low), b = low + 0.618034 * (high - low);
    (force(a) < force(b) ? high : low) = force(a) < force(b) ? b : a;
  }
  result.peak_force = -force((low + high) / 2);
  return result;
}

ElasticLaw elastic_of(const Impact& impact) {
  return ElasticLaw::power(impact.stiffness, impact.exponent);
}

ImpactPulse exact_pulse(const Impact& impact, const PulseLaw& law) {
  const bool plastic = is_plastic(impact, law);
  const FreeImpact free =
      free_impact(plastic ? 0 : hysteresis_of(law, impact.restitution), elastic_of(impact), impact.mass, impact.speed);
  ImpactPulse pulse{.peak_force = free.max_force,
                    .duration = plastic ? free.compression_time : free.duration,
                    .compression = free.compression_time,
                    .max_penetration = free.max_penetration,
                    .impulse = 0,
                    .restitution = plastic ? 0 : free.restitution};
  pulse.impulse = impact.mass * (1 + pulse.restitution) * impact.speed;
  return pulse;
}

// m δ̈ = P − F(δ, δ̇) by the classical Runge–Kutta scheme, until the law lets go, the load holds the bodies, or, of a
// plastic impact, they stand.
std::vector<PulseSample> integrate(const Impact& impact, const NormalLaw& law, bool until_rest,
                                   int steps_per_compression) {
  const double h =
      elastic_penetration(elastic_of(impact), impact.mass, impact.speed) / impact.speed / steps_per_compression;
  NormalContact contact{.penetration = 0, .rate = impact.speed, .impact_speed = impact.speed, .deepest = 0};
  const auto force = [&](double penetration, double rate) {
    NormalContact seen = contact;
    seen.penetration = penetration, seen.rate = rate;
    seen.deepest = std::max(contact.deepest, penetration);
    return law.force(seen);
  };
  double x = 0, v = impact.speed, t = 0;
  std::vector<PulseSample> samples = {{0, 0, v, force(0, v)}};
  for (int k = 0; k < 200 * steps_per_compression; ++k) {
    const auto accelerate = [&](double penetration, double rate) {
      return (impact.load - force(penetration, rate)) / impact.mass;
    };
    const double a1 = accelerate(x, v), v2 = v + h / 2 * a1, a2 = accelerate(x + h / 2 * v, v2);
    const double v3 = v + h / 2 * a2, a3 = accelerate(x + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = accelerate(x + h * v3, v4);
    const double x_next = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v_next = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    contact.deepest = std::max(contact.deepest, x_next);
    contact.penetration = x_next, contact.rate = v_next;
    const double level = law.release_penetration(contact);
    const bool released = v_next < 0 && x_next <= level, turned = v < 0 && v_next >= 0;
    // Under a heavy load a damped contact creeps towards its equilibrium.
    const bool settled =
        std::abs(v_next) < still * impact.speed && std::abs(impact.load - force(x_next, v_next)) < still * impact.load;
    if (settled) {
      samples.push_back({t + h, x_next, 0, impact.load});
      break;
    }
    const bool rests = turned || (until_rest && v_next <= 0);
    if (released || rests) {  // ends inside the step
      const double part = rests ? v / (v - v_next) : std::clamp((x - level) / (x - x_next), 0.0, 1.0);
      const double rate = v + part * (v_next - v), penetration = std::max(0.0, x + part * (x_next - x));
      samples.push_back({t + part * h, penetration, rate, rests ? force(penetration, rate) : 0.0});
      break;
    }
    x = x_next, v = v_next, t += h;
    samples.push_back({t, x, v, force(x, v)});
  }
  return samples;
}

// `count` samples at equal times out of many.
std::vector<PulseSample> thin(const std::vector<PulseSample>& many, int count) {
  std::vector<PulseSample> few(count);
  std::size_t next = 1;
  for (int i = 0; i < count; ++i) {
    const double time = many.back().time * i / (count - 1);
    while (next + 1 < many.size() && many[next].time < time) ++next;
    const PulseSample &a = many[next - 1], &b = many[next];
    const double part = std::clamp((time - a.time) / (b.time - a.time), 0.0, 1.0);
    few[i] = {time, a.penetration + part * (b.penetration - a.penetration), a.rate + part * (b.rate - a.rate),
              a.force + part * (b.force - a.force)};
  }
  return few;
}

std::vector<PulseSample> integrated_motion(const Impact& impact, const PulseLaw& law, int steps) {
  const bool plastic = is_plastic(impact, law);
  const NormalLawDescription& type = plastic ? *find_normal_law("hertz") : *law.description;
  const auto made = type.make({elastic_of(impact), plastic ? 1.0 : impact.restitution, impact.mass, law.settings});
  return integrate(impact, *made, plastic, steps);
}

std::vector<PulseSample> exact_history(const Impact& impact, const PulseLaw& law, int count) {
  return thin(integrated_motion(impact, law, fine_steps), count);
}

constexpr std::array pulse_values = {&ImpactPulse::peak_force,      &ImpactPulse::duration, &ImpactPulse::compression,
                                     &ImpactPulse::max_penetration, &ImpactPulse::impulse,  &ImpactPulse::restitution};

// By differences of the integrated motion; v = m = K = 1.
void find_changes(Impact unit, const PulseLaw& law, ImpactPulse& change, ImpactPulse& bend) {
  const auto pulse_with = [&](double load) {
    unit.load = load;
    return pulse_of(exact_history(unit, law, fine_samples));
  };
  const ImpactPulse more = pulse_with(small_load), none = pulse_with(0), less = pulse_with(-small_load);
  for (double ImpactPulse::*value : pulse_values) {
    change.*value = (more.*value - less.*value) / (2 * small_load);
    bend.*value = (more.*value - 2 * (none.*value) + less.*value) / (2 * small_load * small_load);
  }
}

Impact as_one_spring(const Impact& squeezed) {
  Impact common = squeezed;
  common.stiffness = squeezed.series_stiffness();
  common.backing = 0;
  return common;
}

// Of the step before and after; at the ends of a history, where nobody knows one of them, the other one twice.
std::array<double, 2> neighbours(std::span<const double> values, std::size_t k) {
  if (values.size() < 2) return {0, 0};
  const double before = values[k > 0 ? k - 1 : 1], after = values[k + 1 < values.size() ? k + 1 : k - 1];
  return {before, after};
}

bool is_peak(std::span<const double> values, std::size_t k) {
  const auto [before, after] = neighbours(values, k);
  return values[k] > before && values[k] > after;
}

double mean_of_neighbours(std::span<const double> values, std::size_t k) {
  const auto [before, after] = neighbours(values, k);
  return (before + after) / 2;
}

}  // namespace

PulseTable::Entry& PulseTable::entry_of(const Impact& impact, const PulseLaw& law, bool cubic) {
  const auto place = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.exponent == impact.exponent && entry.law == law.description &&
           std::abs(entry.restitution - impact.restitution) < same_restitution;
  });
  if (place != entries_.end()) return *place;
  const Impact unit{
      .speed = 1, .mass = 1, .restitution = impact.restitution, .stiffness = 1, .exponent = impact.exponent};
  Entry& entry = entries_.emplace_back();
  entry.restitution = impact.restitution, entry.exponent = impact.exponent, entry.law = law.description;
  entry.unit = cubic ? cubic_pulse(unit, law) : exact_pulse(unit, law);
  if (!cubic) find_changes(unit, law, entry.change, entry.bend);
  return entry;
}

// Of v = m = K = 1, by Lagrange's cubic in the logarithm of the load.
ImpactPulse PulseTable::loaded(Entry& entry, double load, const PulseLaw& law) {
  const double position = load_steps * std::log10(std::abs(load) / small_load);
  const int first = static_cast<int>(std::floor(position)) - 1;
  const double x = position - first;  // of nodes 0 … 3
  const double weights[] = {-(x - 1) * (x - 2) * (x - 3) / 6, x * (x - 2) * (x - 3) / 2, -x * (x - 1) * (x - 3) / 2,
                            x * (x - 1) * (x - 2) / 6};
  std::map<int, ImpactPulse>& nodes = load > 0 ? entry.pressed : entry.drawn;
  ImpactPulse pulse;
  for (int k = 0; k < 4; ++k) {
    const auto [place, added] = nodes.try_emplace(first + k);
    if (added) {
      const Impact unit{.speed = 1,
                        .mass = 1,
                        .restitution = entry.restitution,
                        .stiffness = 1,
                        .exponent = entry.exponent,
                        .load = std::copysign(small_load * std::pow(10, (first + k) / load_steps), load)};
      place->second = pulse_of(integrated_motion(unit, law, fine_steps));
    }
    for (double ImpactPulse::*value : pulse_values) pulse.*value += weights[k] * (place->second.*value);
  }
  return pulse;
}

ImpactPulse PulseTable::pulse(const Impact& impact, const PulseLaw& law) {
  assert(impact.speed > 0 && impact.mass > 0 && impact.stiffness > 0);
  if (impact.backing > 0) {
    ImpactPulse common = pulse(as_one_spring(impact), law);
    common.max_penetration *= impact.share();
    return common;
  }
  const bool plastic = is_plastic(impact, law), cubic = profile_ == PulseProfile::cubic && !plastic;
  const double n = impact.exponent;
  const double time = std::pow(impact.mass / impact.stiffness, 1 / (n + 1)) * std::pow(impact.speed, (1 - n) / (1 + n));
  const double load = cubic ? 0 : impact.load * time / (impact.mass * impact.speed);
  const bool scales = cubic || plastic || law.is_family_member();
  if (!scales || std::abs(load) > small_load * std::pow(10, most_load_steps / load_steps))
    return pulse_of(integrated_motion(impact, law, steps_));
  Entry& entry = entry_of(impact, law, cubic);
  ImpactPulse pulse;
  if (std::abs(load) > small_load) {
    pulse = loaded(entry, load, law);
  } else {
    for (double ImpactPulse::*value : pulse_values)
      pulse.*value = entry.unit.*value + load * (entry.change.*value + load * (entry.bend.*value));
  }
  pulse.peak_force *= impact.mass * impact.speed / time;
  pulse.duration *= time, pulse.compression *= time;
  pulse.max_penetration *= impact.speed * time;
  pulse.impulse *= impact.mass * impact.speed;
  return pulse;
}

ImpactPulse passed_on(const ImpactPulse& source, double source_impulse, double impulse, double stiffness,
                      double exponent) {
  ImpactPulse pulse = source;
  pulse.peak_force *= impulse / source_impulse;
  pulse.impulse = impulse;
  pulse.max_penetration = stiffness > 0 ? std::pow(pulse.peak_force / stiffness, 1 / exponent) : 0;
  pulse.restitution = 0;
  return pulse;
}

std::vector<ImpactPulse> recover_pulses(std::span<const Impact> impacts, PulseProfile profile,
                                        std::span<const PulseLaw> laws, std::span<const int> of) {
  std::vector<ImpactPulse> pulses(impacts.size());
  const std::size_t threads = std::clamp<std::size_t>(impacts.size() / impacts_per_thread, 1,
                                                      std::max(1u, std::thread::hardware_concurrency()));
  const auto work = [&](std::size_t part) {
    PulseTable table(profile);
    const std::size_t end = impacts.size() * (part + 1) / threads;
    for (std::size_t k = impacts.size() * part / threads; k < end; ++k)
      pulses[k] = table.pulse(impacts[k], laws[of[k]]);
  };
  std::vector<std::jthread> crew;
  for (std::size_t part = 1; part < threads; ++part) crew.emplace_back(work, part);
  work(0);
  return pulses;
}

std::vector<PulseSample> pulse_history(const Impact& impact, PulseProfile profile, int count, const PulseLaw& law) {
  assert(count >= 2);
  if (impact.backing > 0) {
    std::vector<PulseSample> common = pulse_history(as_one_spring(impact), profile, count, law);
    for (PulseSample& sample : common) sample.penetration *= impact.share(), sample.rate *= impact.share();
    return common;
  }
  if (profile == PulseProfile::cubic && !is_plastic(impact, law)) return cubic_history(impact, law, count);
  return exact_history(impact, law, count);
}

ImpactPulse pulse_of(std::span<const PulseSample> history) {
  ImpactPulse pulse;
  if (history.empty()) return pulse;
  pulse.duration = history.back().time;
  pulse.restitution = history.front().rate > 0 ? -history.back().rate / history.front().rate : 0;
  for (std::size_t k = 0; k < history.size(); ++k) {
    pulse.peak_force = std::max(pulse.peak_force, history[k].force);
    if (history[k].penetration > pulse.max_penetration)
      pulse.max_penetration = history[k].penetration, pulse.compression = history[k].time;
    if (k > 0) pulse.impulse += (history[k].time - history[k - 1].time) * (history[k].force + history[k - 1].force) / 2;
  }
  return pulse;
}

SplitImpulses split_impulses(std::span<const double> impulses) {
  SplitImpulses parts{{impulses.begin(), impulses.end()}, std::vector<double>(impulses.size(), 0.0)};
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    if (is_peak(impulses, k)) parts.continuous[k] = mean_of_neighbours(impulses, k);
    parts.impact[k] = impulses[k] - parts.continuous[k];
  }
  return parts;
}

ThreeImpulses split_in_three(std::span<const double> impulses) {
  const std::vector<double> none(impulses.size(), 0.0);
  ThreeImpulses parts{none, {impulses.begin(), impulses.end()}, none};
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    if (!is_peak(impulses, k)) continue;
    const double mean = mean_of_neighbours(impulses, k);
    (mean == 0 ? parts.isolated : parts.on_load)[k] = impulses[k] - mean;
    parts.continuous[k] = mean;
  }
  return parts;
}

}  // namespace carom::inline force_recovery
