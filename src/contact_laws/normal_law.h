#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact_laws/elastic_law.h"
#include "contact_laws/free_impact.h"
#include "model/catalogue.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline contact_laws {

// What a law sees of one contact.
struct NormalContact {
  double penetration = 0;   // δ, m
  double rate = 0;          // δ̇, m/s, positive in compression
  double impact_speed = 0;  // v₀ > 0, m/s: δ̇ at the first touch of the episode, already bounded below by the caller
  double deepest = 0;       // m, largest penetration of the episode up to the last accepted step
};

// Compression is positive. force = elastic + dissipative part, and (force − elastic)·rate ≥ 0 is the dissipated power,
// also while the force is clamped at zero. force ≥ 0; only laws set to `end = "adhesive"` may pull.
struct NormalForce {
  double force = 0;           // N
  double by_penetration = 0;  // N/m; zero while clamped
  double by_rate = 0;         // N s/m; zero while clamped
  double elastic = 0;         // N, the conservative part
  double energy = 0;          // J, stored: d(energy)/dδ = elastic
};

// A normal force law; values in, values out, nothing remembered.
class NormalLaw {
 public:
  virtual ~NormalLaw() = default;
  virtual NormalForce evaluate(const NormalContact& contact) const = 0;
  // The same force without its companions.
  virtual double force(const NormalContact& contact) const = 0;
  virtual double energy(const NormalContact& contact) const = 0;
  // Penetration at which the episode ends when it is crossed downwards: 0, the permanent indentation of plastic laws,
  // or where the force vanishes at the present rate for laws that would pull afterwards.
  virtual double release_penetration(const NormalContact&) const { return 0; }
  // True when `deepest` matters.
  virtual bool remembers_depth() const { return false; }
  // Event function besides δ: changes sign where the force meets the clamp; +1 where there is no such breakpoint.
  virtual double clamp_margin(const NormalContact&) const { return 1; }
  // True when the force starts from zero and needs no memory of how the contact began, so that it may act before a
  // touch has been noticed.
  virtual bool is_memoryless() const { return false; }
  // h of the family F = f_e (1 + h δ̇/v₀); empty for other laws.
  virtual std::optional<double> hysteresis() const { return std::nullopt; }
};

// What a law is made from.
struct NormalLawContext {
  ElasticLaw elastic;
  double restitution = 1;
  double effective_mass = 0;  // kg, m_i m_j/(m_i + m_j) of the two free bodies
  const Settings& settings;
};

struct NormalLawDescription : TypeDescription {
  std::string formula = {};       // UTF-8
  std::string elastic = "hertz";  // elastic shape when the file names none
  bool uses_restitution = true;   // false: the loss is set by the law's own parameters
  bool needs_mass = false;        // effective_mass is used: always by tsuji, else unless `damping` is given
  double least_restitution = 0;   // below it the law is not defined
  bool least_allowed = true;      // whether the bound itself is
  double usable_from = 0;         // range in which the restitution asked for is met
  double usable_to = 1;
  double (*factor)(double restitution) = nullptr;  // h(e), family members only
  // Restitution of a free impact; null when it depends on the speed or on parameters.
  std::function<double(double restitution)> restitution_out = nullptr;
  std::function<std::unique_ptr<NormalLaw>(const NormalLawContext&)> make = nullptr;
};

// The catalogue, sorted by name.
const Catalogue<NormalLawDescription>& normal_law_catalogue();
const NormalLawDescription* find_normal_law(const std::string& name);
bool add_normal_law(NormalLawDescription description);  // false: the name is taken
inline constexpr const char* default_normal_law = "exact";

}  // namespace carom::inline contact_laws
