#pragma once

#include "documents/reading.h"
#include "model/bearing_faults.h"
#include "model/fields.h"

// Spalls and waves of the races of a bearing, spalls of its balls: [[bearing.spall]] and [[bearing.waviness]].
namespace carom::inline model_io {

const Fields<SpallModel>& spall_fields();
const Fields<WavinessModel>& waviness_fields();

// From the table of a bearing at `key`. False: something is wrong, and reported.
bool read_race_faults(Reading& reading, const Node& table, const KeyPath& key, BearingModel& bearing);

// Whether they fit the bearing, whose own keys are sound. Reports what does not.
bool check_race_faults(Reading& reading, const Node& table, const KeyPath& key, const BearingModel& bearing);

// Into the keys of the shape of a race of a row, or of a ball; both are counted from 0.
void make_uneven(const BearingModel& bearing, Race race, int row, Settings& shape);
void make_uneven_ball(const BearingModel& bearing, int index, Settings& shape);

}  // namespace carom::inline model_io
