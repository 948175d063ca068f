#include "carom/registry.h"

#include "facade/translate.h"
#include "model/drive.h"
#include "parts/plugins.h"
#include "parts/registry.h"

namespace carom::v1 {
namespace {

template <class Part>
void add_to_catalogue(const Part& part) {
  translating_errors([&] { carom::add_parts_of_program([&](Registry& registry) { registry.add(part); }); });
}

}  // namespace

void register_part(const ContactLawPart& part) {
  add_to_catalogue(part);
}
void register_part(const FrictionLawPart& part) {
  add_to_catalogue(part);
}
void register_part(const ForcePart& part) {
  add_to_catalogue(part);
}
void register_part(const DrivePart& part) {
  add_to_catalogue(part);
}

void load_plugin(const std::filesystem::path& file) {
  translating_errors([&] { carom::load_plugin(file); });
}

void load_plugins_of_environment() {
  translating_errors([&] { carom::load_plugins_of_environment(); });
}

std::vector<Plugin> loaded_plugins() {
  std::vector<Plugin> result;
  for (const carom::PartSource& source : carom::part_sources())
    if (source.origin != carom::from_program) result.push_back({source.origin, source.parts});
  return result;
}

}  // namespace carom::v1
