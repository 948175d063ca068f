#include "durability/load_life.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/problem.h"

namespace carom::inline durability {
namespace {

void count_cycles(std::size_t bins, LoadLife& life) {
  life.cycles = count_rainflow(life.load.value);
  double largest = 0;
  for (const CountedCycle& cycle : life.cycles) largest = std::max(largest, cycle.range);
  if (!(largest > 0)) return;
  life.histogram.emplace(largest, bins);
  for (const CountedCycle& cycle : life.cycles) life.histogram->add(cycle);
}

// Radial and axial load as one.
void add_axial_load(const ResultReader& result, const LifeRequest& request, LoadHistory& load) {
  const LoadHistory axial = load_history(result, {request.axial}, request.from, request.to);
  for (std::size_t k = 0; k < load.value.size(); ++k)
    load.value[k] = equivalent_dynamic_load(std::abs(load.value[k]), std::abs(axial.value[k]), request.factors);
}

std::vector<double> speed_of(const ResultReader& result, const LifeRequest& request) {
  if (request.speed) return {*request.speed};
  if (request.speed_quantity.empty()) return {};
  const LoadHistory speed = load_history(result, {request.speed_quantity}, request.from, request.to);
  if (speed.unit != "rad/s")
    refuse("--speed", fmt::format("{} in {}", speed.name, speed.unit), "a quantity in rad/s or a number",
           "such as body:crank.omega or 1500rpm");
  return speed.value;
}

void add_rating_life(const LifeRequest& request, LoadLife& life) {
  life.rating = request.rating;
  if (!life.rating && request.bearing) life.rating = dynamic_load_rating(*request.bearing), life.rating_computed = true;
  if (!life.rating) return;
  if (life.load.unit != "N")
    refuse("--rating", fmt::format("{} in {}", life.load.name, life.load.unit), "a load in N",
           "leave --stress out, or count the quantity with --woehler");
  life.revolutions = basic_rating_life(*life.rating, life.equivalent, life.exponent);
}

void add_life_from_stresses(const ResultReader& result, const LifeRequest& request, LoadLife& life) {
  std::vector<double> loads;
  for (const std::string& quantity : request.ball_loads) {
    const LoadHistory ball = load_history(result, {quantity}, request.from, request.to);
    if (ball.unit != "N") refuse("--ball-loads", quantity + " in " + ball.unit, "forces in N");
    for (const double value : ball.value) loads.push_back(std::max(0.0, value));
  }
  life.from_stresses = BearingFatigue(*request.bearing, request.composite_modulus, *life.rating).life(loads);
}

}  // namespace

LoadLife find_life(const ResultReader& result, const LifeRequest& request) {
  LoadLife life;
  life.exponent = request.exponent;
  life.load = load_history(result, request.load, request.from, request.to);
  if (request.pressure_in) life.load = pressure_history(result, *request.pressure_in, life.load);
  if (!request.axial.empty()) add_axial_load(result, request, life.load);
  count_cycles(request.bins, life);
  const std::vector<double> speed = speed_of(result, request);
  const auto parts = load_parts(life.load, speed);
  life.equivalent = mean_equivalent_load(parts, life.exponent);
  if (!speed.empty()) {
    double turns = 0;
    for (const LoadPart& part : parts) turns += part.revolutions;
    life.speed = 2 * M_PI * turns / (life.load.time.back() - life.load.time.front());
  }
  life.a1 = request.reliability == 0.9 ? 1 : reliability_factor(request.reliability);
  life.factor = life.a1 * request.a_iso;
  add_rating_life(request, life);
  if (!request.ball_loads.empty()) add_life_from_stresses(result, request, life);
  if (request.line) life.damage = miner_damage(life.cycles, request.line(life.load.unit));
  return life;
}

}  // namespace carom::inline durability
