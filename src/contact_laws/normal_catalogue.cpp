#include <algorithm>

#include "contact_laws/normal_law.h"

namespace carom {

// One function per file of this room.
NormalLawDescription describe_adams();
NormalLawDescription describe_carvalho_martins();
NormalLawDescription describe_exact();
NormalLawDescription describe_flores();
NormalLawDescription describe_gharib_hurmuzlu();
NormalLawDescription describe_goldsmith();
NormalLawDescription describe_gonthier();
NormalLawDescription describe_gonthier_approximate();
NormalLawDescription describe_herbert_mcwhannell();
NormalLawDescription describe_hertz();
NormalLawDescription describe_hu();
NormalLawDescription describe_hu_guo();
NormalLawDescription describe_hunt_crossley();
NormalLawDescription describe_kelvin_voigt();
NormalLawDescription describe_kuwabara_kono();
NormalLawDescription describe_lankarani_nikravesh();
NormalLawDescription describe_lee_wang();
NormalLawDescription describe_linear();
NormalLawDescription describe_marhefka_orin();
NormalLawDescription describe_ristow();
NormalLawDescription describe_tsuji();
NormalLawDescription describe_walton_braun();
NormalLawDescription describe_zhang();
NormalLawDescription describe_zhiying_qishao();

const std::vector<NormalLawDescription>& normal_law_catalogue() {
  static const std::vector<NormalLawDescription> catalogue = {
      describe_adams(),
      describe_carvalho_martins(),
      describe_exact(),
      describe_flores(),
      describe_gharib_hurmuzlu(),
      describe_goldsmith(),
      describe_gonthier(),
      describe_gonthier_approximate(),
      describe_herbert_mcwhannell(),
      describe_hertz(),
      describe_hu(),
      describe_hu_guo(),
      describe_hunt_crossley(),
      describe_kelvin_voigt(),
      describe_kuwabara_kono(),
      describe_lankarani_nikravesh(),
      describe_lee_wang(),
      describe_linear(),
      describe_marhefka_orin(),
      describe_ristow(),
      describe_tsuji(),
      describe_walton_braun(),
      describe_zhang(),
      describe_zhiying_qishao(),
  };
  return catalogue;
}

const NormalLawDescription* find_normal_law(const std::string& name) {
  const auto& catalogue = normal_law_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace carom
