#include "model/bearing_faults.h"

namespace carom::inline model {
namespace {

// So many numbers a fault; no key of a file has these names.
constexpr const char *kept_spalls = "[[spall]]", *kept_waves = "[[waviness]]";
constexpr std::size_t of_spall = 6, of_wave = 4;

double number_of(Race race) {
  return race == Race::inner ? 0 : 1;
}

Race race_of(double number) {
  return number > 0 ? Race::outer : Race::inner;
}

}  // namespace

std::vector<SpallModel> spalls_of(const BearingModel& bearing) {
  const std::vector<double> kept = bearing.element.settings.numbers(kept_spalls);
  std::vector<SpallModel> spalls;
  for (std::size_t k = 0; k + of_spall <= kept.size(); k += of_spall)
    spalls.push_back({race_of(kept[k]), kept[k + 1], kept[k + 2], kept[k + 3], static_cast<int>(kept[k + 4]),
                      static_cast<int>(kept[k + 5])});
  return spalls;
}

std::vector<WavinessModel> waves_of(const BearingModel& bearing) {
  const std::vector<double> kept = bearing.element.settings.numbers(kept_waves);
  std::vector<WavinessModel> waves;
  for (std::size_t k = 0; k + of_wave <= kept.size(); k += of_wave)
    waves.push_back({race_of(kept[k]), static_cast<int>(kept[k + 1]), kept[k + 2], kept[k + 3]});
  return waves;
}

void set_faults(BearingModel& bearing, const std::vector<SpallModel>& spalls, const std::vector<WavinessModel>& waves) {
  std::vector<double> kept;
  for (const SpallModel& spall : spalls)
    kept.insert(kept.end(), {number_of(spall.race), spall.angle, spall.extent, spall.depth,
                             static_cast<double>(spall.ball), static_cast<double>(spall.row)});
  if (!kept.empty()) bearing.element.settings.set(kept_spalls, kept);
  kept.clear();
  for (const WavinessModel& wave : waves)
    kept.insert(kept.end(), {number_of(wave.race), static_cast<double>(wave.order), wave.amplitude, wave.angle});
  if (!kept.empty()) bearing.element.settings.set(kept_waves, kept);
}

}  // namespace carom::inline model
