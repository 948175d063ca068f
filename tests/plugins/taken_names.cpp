#include <carom/plugin.h>

// Sound but for its name, which is taken; and one whose keys are not sound.
CAROM_PLUGIN(registry) {
  carom::FrictionLawPart taken;
  taken.name = "stribeck";
  taken.make = [](const carom::KeyValues&) { return std::unique_ptr<carom::FrictionLaw>(); };
  registry.add(taken);
  carom::DrivePart unsound;
  unsound.name = "ramp-up";
  unsound.keys = {{.name = "Height", .unit = "metres per fortnight"}};
  registry.add(unsound);
}
