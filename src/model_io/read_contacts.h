#pragma once

#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// [contact.NAME]
ContactModel read_contact(Reading& reading, const Entry& entry, const KeyPath& key);

// [[pair]]
PairModel read_pair(Reading& reading, const Node& table, const KeyPath& key);

// [joint.clearance]
ClearanceModel read_clearance(Reading& reading, const Node& table, const KeyPath& key);

}  // namespace carom::inline model_io
