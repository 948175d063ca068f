// Linked to the library although it need not be: its parts still belong to the program that loads it.
#include <carom/carom.h>
#include <carom/plugin.h>

namespace {

class Still final : public carom::Drive {
  carom::DriveValue evaluate(double) const override { return {}; }
};

}  // namespace

CAROM_PLUGIN(registry) {
  carom::DrivePart part;
  part.name = "still";
  part.summary = "Nothing, said with Carom " + carom::version() + ".";
  part.make = [](const carom::KeyValues&) { return std::make_unique<Still>(); };
  registry.add(part);
}
