#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/catalogue.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline contact_laws {

// |F_T|/F_N and its derivative with respect to the slip speed, s/m. The force opposes the slip.
struct Friction {
  double coefficient = 0, by_speed = 0;
};

// Of a bristle, per newton of normal force: what opposes the slip, and how the deflection moves.
struct BristleForce {
  double force = 0;  // of the sign of what it opposes: F_T = −force · F_N
  double rate = 0;   // dz/dt, m/s
};

// A friction law; values in, values out.
class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;
  virtual Friction evaluate(double slip_speed /* ≥ 0, m/s */, double normal_force /* N */) const = 0;
  // Slip speeds at which the law has a breakpoint, for integrators that restart there.
  virtual std::vector<double> breakpoints() const { return {}; }
  // True stiction: a bristle of deflection z (m) that carries the force; `evaluate` then holds in steady slip only.
  virtual bool has_bristle() const { return false; }
  virtual BristleForce bristle(double /*deflection*/, double /*velocity*/, double /*normal_force*/) const { return {}; }
  // Stored in it, J per newton of normal force.
  virtual double bristle_energy(double /*deflection*/) const { return 0; }
};

struct FrictionLawDescription : TypeDescription {
  std::string formula = {};  // of |F_T|/F_N, UTF-8
  std::function<std::unique_ptr<FrictionLaw>(const Settings&)> make = nullptr;
  // The one coefficient of the nonsmooth method; null: the key `coefficient`, or that of the materials.
  std::function<double(const Settings&)> sliding_coefficient = nullptr;
};

// The catalogue, sorted by name.
const Catalogue<FrictionLawDescription>& friction_law_catalogue();
const FrictionLawDescription* find_friction_law(const std::string& name);
bool add_friction_law(FrictionLawDescription description);  // false: the name is taken

// Rows shared by the parameter tables.
ParameterDescription coefficient_parameter();
ParameterDescription static_coefficient_parameter();
ParameterDescription viscous_parameter();
ParameterDescription speed_parameter(const std::string& name, const std::string& meaning,
                                     const std::string& default_text);

template <class Law>
std::unique_ptr<FrictionLaw> make_friction(const Settings& settings) {
  return std::make_unique<Law>(settings);
}

}  // namespace carom::inline contact_laws
