#include "contact_laws/normal_law.h"

namespace carom::inline contact_laws {

// One function per law; the ending keeps them apart from namesakes in other rooms.
NormalLawDescription describe_adams_law();
NormalLawDescription describe_carvalho_martins_law();
NormalLawDescription describe_exact_law();
NormalLawDescription describe_flores_law();
NormalLawDescription describe_gharib_hurmuzlu_law();
NormalLawDescription describe_goldsmith_law();
NormalLawDescription describe_gonthier_law();
NormalLawDescription describe_gonthier_approximate_law();
NormalLawDescription describe_herbert_mcwhannell_law();
NormalLawDescription describe_hertz_law();
NormalLawDescription describe_hu_law();
NormalLawDescription describe_hu_guo_law();
NormalLawDescription describe_hunt_crossley_law();
NormalLawDescription describe_kelvin_voigt_law();
NormalLawDescription describe_kuwabara_kono_law();
NormalLawDescription describe_lankarani_nikravesh_law();
NormalLawDescription describe_lee_wang_law();
NormalLawDescription describe_linear_law();
NormalLawDescription describe_marhefka_orin_law();
NormalLawDescription describe_ristow_law();
NormalLawDescription describe_safaeifar_law();
NormalLawDescription describe_tsuji_law();
NormalLawDescription describe_walton_braun_law();
NormalLawDescription describe_zhang_law();
NormalLawDescription describe_zhiying_qishao_law();

namespace {

Catalogue<NormalLawDescription>& normal_catalogue() {
  static Catalogue<NormalLawDescription> all({
      describe_adams_law(),
      describe_carvalho_martins_law(),
      describe_exact_law(),
      describe_flores_law(),
      describe_gharib_hurmuzlu_law(),
      describe_goldsmith_law(),
      describe_gonthier_law(),
      describe_gonthier_approximate_law(),
      describe_herbert_mcwhannell_law(),
      describe_hertz_law(),
      describe_hu_law(),
      describe_hu_guo_law(),
      describe_hunt_crossley_law(),
      describe_kelvin_voigt_law(),
      describe_kuwabara_kono_law(),
      describe_lankarani_nikravesh_law(),
      describe_lee_wang_law(),
      describe_linear_law(),
      describe_marhefka_orin_law(),
      describe_ristow_law(),
      describe_safaeifar_law(),
      describe_tsuji_law(),
      describe_walton_braun_law(),
      describe_zhang_law(),
      describe_zhiying_qishao_law(),
  });
  return all;
}

}  // namespace

const Catalogue<NormalLawDescription>& normal_law_catalogue() {
  return normal_catalogue();
}

bool add_normal_law(NormalLawDescription description) {
  return normal_catalogue().add(std::move(description));
}

const NormalLawDescription* find_normal_law(const std::string& name) {
  return normal_catalogue().find(name);
}

}  // namespace carom::inline contact_laws
