#include <algorithm>
#include <cassert>

#include "integrators/nonsmooth/scheme.h"

namespace carom::inline nonsmooth_integrators {

// One function per file.
SchemeDescription describe_decoupled();
SchemeDescription describe_moreau_jean();
SchemeDescription describe_projected_moreau_jean();

const std::vector<SchemeDescription>& scheme_catalogue() {
  static const std::vector<SchemeDescription> catalogue = {describe_decoupled(), describe_moreau_jean(),
                                                           describe_projected_moreau_jean()};
  return catalogue;
}

}  // namespace carom::inline nonsmooth_integrators

namespace carom::inline model {

const std::vector<const SchemeType*>& scheme_types() {
  static const std::vector<const SchemeType*> types = [] {
    std::vector<const SchemeType*> all;
    for (const SchemeDescription& each : scheme_catalogue()) all.push_back(&each);
    return all;
  }();
  return types;
}

}  // namespace carom::inline model

namespace carom::inline nonsmooth_integrators {

template <int D>
std::unique_ptr<Scheme<D>> make_scheme(const SolverSettings& settings) {
  const auto& all = scheme_catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == settings.scheme; });
  assert(found != all.end());
  if constexpr (D == 2) {
    return found->make_planar(settings);
  } else {
    return found->make_spatial(settings);
  }
}

template std::unique_ptr<Scheme<2>> make_scheme<2>(const SolverSettings& settings);
template std::unique_ptr<Scheme<3>> make_scheme<3>(const SolverSettings& settings);

}  // namespace carom::inline nonsmooth_integrators
