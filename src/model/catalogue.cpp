#include "model/catalogue.h"

#include <atomic>

namespace carom::inline model {
namespace {

std::atomic<std::size_t> changes = 0;

}  // namespace

std::size_t catalogue_changes() {
  return changes;
}

void note_catalogue_change() {
  ++changes;
}

}  // namespace carom::inline model
