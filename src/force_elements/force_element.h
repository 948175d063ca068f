#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "math/bodies.h"
#include "model/attachment.h"
#include "model/catalogue.h"
#include "model/description.h"

namespace carom::inline force_elements {

// −∂(loads)/∂(positions) and −∂(loads)/∂(velocities) of an element between at most two bodies, [row][column] in the
// order of the bodies that feel it.
template <int D>
struct ForceTangents {
  using Block = Eigen::Matrix<double, Space<D>::dofs, Space<D>::dofs>;
  Block stiffness[2][2], damping[2][2];
};

// A force between bodies that depends on positions, velocities and time.
//
// Forces split into a conservative part, which has an energy, and the rest, whose power is integrated over the run:
// power > 0 feeds energy to the system. Every element supplies both, so that every run can balance its energy.
template <int D>
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  // Bodies that feel the element, without the ground.
  virtual std::vector<int> bodies() const = 0;
  // Adds the element's forces and returns the power of their non-conservative part, W.
  virtual double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const = 0;
  // False where the element does not know its derivatives: they are then taken by differences.
  virtual bool tangents(const Bodies<D>&, double /*t*/, ForceTangents<D>&) const { return false; }
  // J, of the conservative part.
  virtual double energy(const Bodies<D>& bodies, double t) const = 0;
  // Elements that lose energy besides what they supply report it apart: W, never part of what apply returns. The energy
  // of the system changes by the one less the other.
  virtual bool has_loss() const { return false; }
  virtual double loss(const Bodies<D>&, double /*t*/) const { return 0; }
  // States of its own, such as currents and pressures, which are integrated with the motion: how many, where they
  // start, where they are found whenever the element is evaluated, and their rates.
  virtual int states() const { return 0; }
  virtual void initial_states(double* /*states*/) const {}
  virtual void use_states(const double* /*states*/) {}
  virtual void rates(const Bodies<D>&, double /*t*/, double* /*rates*/) const {}
  // True when apply always returns zero: nothing to integrate.
  virtual bool is_conservative() const = 0;
  // Called after every accepted step, for elements that count full turns.
  virtual void remember(const Bodies<D>&) {}
  // Counts them anew from this configuration, where angles are those nearest to zero.
  virtual void forget(const Bodies<D>&) {}
  // The turns that an element of the same type and place has counted.
  virtual void take_memory(const ForceElement&) {}
  // Recorded quantities; values are written in the order of the description.
  virtual std::vector<OutputDescription> outputs() const = 0;
  virtual void output(const Bodies<D>& bodies, double t, double* values) const = 0;
};

// What an element is made from.
struct ForceElementContext {
  const Model& model;
  const ElementModel& element;
};

struct ForceElementDescription : TypeDescription {
  std::function<std::unique_ptr<ForceElement<2>>(const ForceElementContext&)> make_planar = nullptr;
  std::function<std::unique_ptr<ForceElement<3>>(const ForceElementContext&)> make_spatial = nullptr;
  bool supplies = false;  // its power counts as supplied, else as dissipated
};

// The catalogue, sorted by name.
const Catalogue<ForceElementDescription>& force_element_catalogue();
const ForceElementDescription* find_force_element(const std::string& type);
bool add_force_element(ForceElementDescription description);  // false: the name is taken

// The rows of the parameter table that attach a two-ended element.
std::vector<ParameterDescription> two_end_parameters();

// Those of an element that acts on one body.
std::vector<ParameterDescription> single_end_parameters();

// The rows of a load that is given by its components, functions of time, in world or body axes.
std::vector<ParameterDescription> given_load_parameters(const std::string& name, const std::string& unit,
                                                        const std::string& meaning);

}  // namespace carom::inline force_elements
