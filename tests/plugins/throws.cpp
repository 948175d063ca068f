#include <stdexcept>

#include <carom/plugin.h>

CAROM_PLUGIN(registry) {
  (void)registry;
  throw std::runtime_error("the table of data is missing");
}
