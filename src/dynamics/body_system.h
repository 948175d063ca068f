#pragma once

#include "contacts/contact_set.h"
#include "contacts/start_search.h"
#include "dynamics/constraint_solver.h"
#include "dynamics/system.h"

namespace carom::inline dynamics {

// What methods see that treat bodies and contacts one by one, beyond the equations of motion. What is asked for in
// loops over bodies or contacts is kept here, so that it costs no virtual call.
template <int D>
class BodySystem : public System {
 public:
  ContactSet<D>& contact_set() { return contacts_; }
  StartSearch<D>& start_search() { return search_; }
  const std::vector<BodyInertia<D>>& inertia() const { return inertia_; }
  const Eigen::VectorXd& weight() const { return weight_; }
  const std::string& body_name(int body) const { return body_names_[body - 1]; }
  int first_contact_work() const { return first_contact_work_; }

  virtual bool has_forces() const = 0;  // but gravity
  virtual bool has_drives() const = 0;
  virtual std::vector<bool> constrained_bodies() const = 0;  // by joints, drives or force elements; the ground first
  // Powers of drives, from multipliers, and of force elements; contacts have none here.
  virtual void powers(double t, const double* q, const double* v, const Eigen::VectorXd& lambda, double* power) = 0;
  // The first of them.
  virtual void drive_powers(const Bodies<D>& bodies, const Eigen::VectorXd& lambda, double* power) const = 0;
  // Poses, and motions where v is given; `bodies` holds the ground first.
  virtual void place(const double* q, const double* v, Bodies<D>& bodies) const = 0;
  // Of bodies that have their poses.
  static void place_velocities(const double* v, Bodies<D>& bodies) {
    for (std::size_t b = 1; b < bodies.size(); ++b, v += Space<D>::dofs) {
      BodyState<D>& body = bodies[b];
      body.velocity = Eigen::Map<const VectorOf<D>>(v);
      body.angular_velocity = body.orientation.angular_to_world(Eigen::Map<const AngularOf<D>>(v + D));
    }
  }

 protected:
  explicit BodySystem(const Model& model) : contacts_(model), search_(contacts_) {}

  std::vector<BodyInertia<D>> inertia_;
  std::vector<std::string> body_names_;
  ContactSet<D> contacts_;
  StartSearch<D> search_;
  int first_contact_work_ = 0;  // entry of State::work of the first group of contacts
  Eigen::VectorXd weight_;      // generalised, of gravity
};

}  // namespace carom::inline dynamics
