#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "contact_laws/elastic_catalogue.h"
#include "contacts/shape_pairs.h"
#include "model/model.h"

// Who touches whom, made of what, by which law: read from the model here and nowhere else. Validation, dynamics and
// what is made of results afterwards ask this.
namespace carom::inline contacts {

// Null: there is none of this name.
const Material* find_material(const Model& model, const std::string& name);
// The default contact where no name is given.
const ContactModel* find_contact(const Model& model, const std::string& name);

// The materials of two surfaces that meet, in the order of the model.
struct SurfacePair {
  std::array<std::string, 2> names = {};          // empty: not given
  std::array<const Material*, 2> materials = {};  // null: not given, or there is none of this name

  // Pa, E* of both; 0: one of them is not known.
  double modulus() const;
};

// Materials that are given for a joint or a pair go before those of its shapes.
SurfacePair surfaces_of(const Model& model, const std::array<std::string, 2>& given, const std::string& first,
                        const std::string& second);

// Of the contact description, or else of the materials; < 0: neither has one.
double coefficient_of_restitution(const ContactModel& contact, const SurfacePair& surfaces);
double coefficient_of_friction(const ContactModel& contact, const SurfacePair& surfaces);
// The friction law by its name: `tanh` where only the materials speak of friction; "none".
std::string friction_law_name(const ContactModel& contact, const SurfacePair& surfaces);
// The shape of its elastic force; null where law or shape are unknown.
const ElasticDescription* elastic_of(const ContactModel& contact);
// Whether shapes that can press over areas do so: their stiffness is Hertz' and follows from materials and geometry,
// and points are not asked for.
bool presses_over_areas(const ContactModel& contact);
// Whether solids with flat faces press with a stiffness that the model gives.
bool has_given_stiffness(const ContactModel& contact);

// Two shapes that a [[pair]] lets meet; whether their kinds can touch is up to the catalogue of pairs.
struct Meeting {
  std::array<int, 2> bodies;  // 0 is the ground
  std::array<const Geometry*, 2> shapes;
};

// One joint with clearance, or one [[pair]].
class ResolvedContact {
 public:
  ResolvedContact(const Model& model, const ElementModel& joint);
  ResolvedContact(const Model& model, const PairModel& pair);

  const std::string& group() const { return group_; }       // "joint:pin", "contact:ball-floor"
  const ElementModel* joint() const { return joint_; }      // null: a [[pair]]
  const PairModel* pair() const { return pair_; }           // null: a joint with clearance
  const ContactModel* contact() const { return contact_; }  // null: the model names one that it does not have
  // Of two shapes of a pair. Of a joint with clearance the shapes have no materials.
  SurfacePair surfaces(const Geometry& first, const Geometry& second) const;
  // Those that stand for all: of the joint, or of the first shape of each side that has a material.
  SurfacePair typical_surfaces() const;

  // Numbers of the bodies that one side of a pair means, in their order.
  const std::vector<int>& bodies(int side) const { return bodies_[side]; }
  bool means(int side, int body, const Geometry& shape) const;
  // With more pairs of shapes than this its pairs come and go.
  bool changes() const;
  // Calls visit(meeting) for all pairs of shapes. Two bodies that both sides mean come in one order only.
  template <typename Visit>
  void for_each_meeting(const Visit& visit) const {
    for (const int first : bodies_[0]) {
      for (const int second : bodies_[1]) {
        if (first == second || comes_turned(first, second)) continue;
        visit_shapes(first, second, visit);
      }
    }
  }

 private:
  bool comes_turned(int first, int second) const;
  const BodyModel& body(int index) const { return index == 0 ? model_->ground : model_->bodies[index - 1]; }
  bool is_chosen(int side, const Geometry& shape) const { return means_shape(pair_->shapes[side], shape); }
  std::string typical_material(int side) const;
  template <typename Visit>
  void visit_shapes(int first, int second, const Visit& visit) const {
    for (const Geometry& a : body(first).geometry) {
      if (!is_chosen(0, a)) continue;
      for (const Geometry& b : body(second).geometry) {
        if (is_chosen(1, b)) visit(Meeting{{first, second}, {&a, &b}});
      }
    }
  }

  const Model* model_;
  const ElementModel* joint_ = nullptr;
  const PairModel* pair_ = nullptr;
  const ContactModel* contact_ = nullptr;
  std::string group_;
  std::array<std::vector<int>, 2> bodies_;  // of a pair
};

// All contacts of a model, which must outlive them: joints with clearance first, then pairs, in their order.
std::vector<ResolvedContact> resolve_contacts(const Model& model);
// The one of this group; none: there is no such group.
std::optional<ResolvedContact> resolve_contact(const Model& model, const std::string& group);

}  // namespace carom::inline contacts
