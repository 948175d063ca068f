#pragma once

#include <vector>

#include "model/enumerations.h"
#include "model/model.h"

// Faults of the races of a bearing (docs/theory/bearings.md). A bearing keeps them among the settings of its element.
namespace carom::inline model {

enum class Race { inner, outer };
constexpr std::array<std::string_view, 2> names_of(Race) {
  return {"inner", "outer"};
}

// What has broken out of a race, over its whole width, or out of a ball, over the width of its track:
// [[bearing.spall]].
struct SpallModel {
  Race race = Race::outer;
  double angle = 0;              // rad, of its middle, in the axes of the race's body; of a ball, see the key
  double extent = 0, depth = 0;  // m; the extent along the race
  int ball = 0;                  // which ball; 0: it is of the race
  int row = 1;                   // of the race, from 1
};

// Waves round a race: its radius is larger by amplitude · cos(order (φ − angle)): [[bearing.waviness]].
struct WavinessModel {
  Race race = Race::outer;
  int order = 0;
  double amplitude = 0, angle = 0;  // m, rad
};

std::vector<SpallModel> spalls_of(const BearingModel& bearing);
std::vector<WavinessModel> waves_of(const BearingModel& bearing);
void set_faults(BearingModel& bearing, const std::vector<SpallModel>& spalls, const std::vector<WavinessModel>& waves);

}  // namespace carom::inline model
