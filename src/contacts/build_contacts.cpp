#include "contacts/build_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "bearings/geometry.h"
#include "contact_geometry/area_pairs.h"
#include "contact_laws/elliptic_contact.h"
#include "contacts/make_laws.h"
#include "contacts/resolved_contacts.h"
#include "contacts/shape_of.h"
#include "contacts/shape_pairs.h"
#include "joints/joint.h"
#include "model/attachment.h"
#include "model/ring_frames.h"

namespace carom::inline contacts {
namespace {

constexpr double skin_per_radius = 0.2;  // of the smallest shape

template <int D>
class ContactBuilder {
 public:
  ContactBuilder(const Model& model, const ContactParts<D>& parts)
      : model_(model), parts_(parts), pairs_(parts.pairs) {}

  void build() {
    const std::vector<ResolvedContact> contacts = resolve_contacts(model_);
    for (const ResolvedContact& contact : contacts) {
      if (contact.joint()) add_joint(contact);
    }
    add_geometry();
    std::vector<const ResolvedContact*> changing;
    for (const ResolvedContact& contact : contacts) {
      if (contact.changes()) {
        changing.push_back(&contact);
      } else if (contact.pair()) {
        add_pairs(contact);
      }
    }
    for (const BearingModel& bearing : model_.bearings) {
      if (!bearing.is_element) add_bearing(bearing);
    }
    if (changing.empty()) return;
    classify_shapes();
    for (const ResolvedContact* contact : changing) add_encounters(*contact);
    pairs_.watch_neighbours(std::move(table_), skin());
  }

 private:
  struct BodyShape {
    int index, body;
    const Geometry* geometry;
  };

  double mass_of(int body) const {
    return body == 0 ? std::numeric_limits<double>::infinity() : model_.bodies[body - 1].mass;
  }
  const Shape<D>& shape(int index) const { return pairs_.shapes()[index]; }

  int begin_group(PairGroup group, const ContactPartners& partners, bool is_joint = false) {
    if (!parts_.nonsmooth) parts_.compliant.add_group(make_compliant_group(partners));
    parts_.outputs.add_pairs(is_joint);
    return pairs_.add_group(std::move(group));
  }

  // Each once.
  void remark(const std::string& text) {
    std::vector<std::string>& remarks = parts_.remarks;
    if (!text.empty() && std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(text);
  }

  int add_law(const ContactPartners& partners, const PairDescription<D>& kind, int a, int b) {
    const bool over_area = is_area_pair<D>(kind);
    const ContactPlace place{patch_of(kind, shape(a), shape(b)),
                             kind.clearance ? kind.clearance(shape(a), shape(b)) : 0, over_area};
    if (over_area) parts_.outputs.report_areas();
    remark(parts_.nonsmooth ? remark_on_friction(partners) : remark_on_restitution(partners));
    if (!parts_.nonsmooth) remark(remark_on_given(partners, place));
    if (parts_.nonsmooth) return parts_.impulses.add_law(make_nonsmooth_law(partners, place));
    return parts_.compliant.add_law(make_compliant_law(partners, place));
  }

  // A bore whose journal has an axial clearance: its ends are flat, and the pair acts by points.
  static bool has_end_stops(const Shape<D>& hole) { return hole.kind == ShapeKind::bore && hole.half[D - 1] > 0; }

  // In either order; true when the shapes had to change places. Null: they cannot touch.
  bool find_kind(int& a, int& b, const PairDescription<D>*& kind, const ContactModel& contact) const {
    kind = find_pair<D>(shape(a).kind, shape(b).kind);
    const bool swapped = !kind;
    if (swapped) {
      std::swap(a, b);
      kind = find_pair<D>(shape(a).kind, shape(b).kind);
    }
    if (parts_.nonsmooth) return swapped;
    if (contact.region == ContactRegion::automatic && prefers_points<D>(shape(a), shape(b))) return swapped;
    const ShapeKind first = shape(a).kind, second = shape(b).kind;
    const PairDescription<D>* over_area = nullptr;
    if (has_given_stiffness(contact)) over_area = find_given_pair<D>(first, second);
    // Newton's method finds equilibria of areas, whose forces bend less.
    const bool moves = model_.solver.analysis == Analysis::dynamic;
    if (presses_over_areas(contact) && contact.region == ContactRegion::automatic && moves)
      over_area = find_flat_pair<D>(first, second);
    if (presses_over_areas(contact) && !over_area) over_area = find_area_pair<D>(first, second);
    if (!over_area && contact.region == ContactRegion::area && presses_over_areas(contact) && !has_end_stops(shape(a)))
      over_area = find_solid_area_pair<D>(first, second);
    if (over_area) kind = over_area;
    return swapped;
  }

  void add_pair(int group, int a, int b, bool second_is_a, const ContactPartners& partners) {
    const PairDescription<D>* kind = nullptr;
    const bool turned = find_kind(a, b, kind, partners.contact);
    if (!kind) return;
    const int law = add_law(partners, *kind, a, b);
    const int pair =
        pairs_.add_pair({.kind = kind, .a = a, .b = b, .swapped = second_is_a != turned, .group = group, .law = law});
    ++pairs_.group(group).pairs;
    pairs_.group(group).points += pairs_.pairs()[pair].points;
  }

  // A joint with clearance: the bearing is shape a, the journal shape b.
  void add_joint(const ResolvedContact& resolved) {
    const ElementModel& joint = *resolved.joint();
    const ClearanceModel& clearance = *joint.clearance;
    const AttachmentPair placement = attach_pair(model_, joint.settings);
    const int bearing_side = clearance.bearing_second ? 1 : 0;
    Shape<D> bearing = shape_at(placement.at[bearing_side]), journal = shape_at(placement.at[1 - bearing_side]);
    bearing.name = joint.name + " bearing", journal.name = joint.name + " journal";
    find_joint(joint.type)->template loose<D>().make(clearance, joint.settings, bearing, journal);
    SurfacePair surfaces = resolved.typical_surfaces();
    if (clearance.bearing_second) {
      std::swap(surfaces.names[0], surfaces.names[1]);
      std::swap(surfaces.materials[0], surfaces.materials[1]);
    }
    const ContactPartners partners{*resolved.contact(), surfaces, {mass_of(bearing.body), mass_of(journal.body)}};
    const int group = begin_group({.name = resolved.group()}, partners, true);
    const int a = pairs_.add_shape(std::move(bearing)), b = pairs_.add_shape(std::move(journal));
    add_pair(group, a, b, clearance.bearing_second, partners);
  }

  // The local axes of a shape follow the axis of the joint.
  static Shape<D> shape_at(const Attachment& at) {
    Shape<D> shape;
    shape.body = at.body;
    shape.position = at.point.template head<D>();
    if constexpr (D == 2) {
      shape.orientation = Rotation<2>(std::atan2(at.frame(1, 2), at.frame(0, 2)));
    } else {
      shape.orientation = Rotation<3>(at.frame);
    }
    return shape;
  }

  // All shapes of all bodies that can touch, each once.
  void add_geometry() {
    if (model_.pairs.empty()) return;
    shapes_of_.resize(model_.bodies.size() + 1);
    for (int b = 0; b <= static_cast<int>(model_.bodies.size()); ++b) {
      const BodyModel& body = body_at(model_, b);
      for (const Geometry& geometry : body.geometry) {
        const auto kind = find_shape_kind(geometry.shape);
        if (kind && !geometry.visual)
          shapes_of_[b].push_back({pairs_.add_shape(placed_shape<D>(geometry, *kind, body, b)), b, &geometry});
      }
    }
  }

  // −1: its kind is none that touches.
  int number_of(int body, const Geometry* geometry) const {
    for (const BodyShape& each : shapes_of_[body]) {
      if (each.geometry == geometry) return each.index;
    }
    return -1;
  }

  ContactPartners partners_of(const ResolvedContact& contact, const Meeting& meeting) const {
    return {*contact.contact(),
            contact.surfaces(*meeting.shapes[0], *meeting.shapes[1]),
            {mass_of(meeting.bodies[0]), mass_of(meeting.bodies[1])}};
  }

  void add_pairs(const ResolvedContact& contact) {
    int group = -1;
    contact.for_each_meeting([&](const Meeting& meeting) {
      const int a = number_of(meeting.bodies[0], meeting.shapes[0]),
                b = number_of(meeting.bodies[1], meeting.shapes[1]);
      if (a < 0 || b < 0) return;
      const ContactPartners partners = partners_of(contact, meeting);
      if (group < 0) {
        group = begin_group(
            {.name = contact.group(), .allow_initial_penetration = contact.pair()->allow_initial_penetration},
            partners);
      }
      add_pair(group, a, b, false, partners);
    });
  }

  int group_named(const std::string& name) const {
    const std::vector<PairGroup>& groups = pairs_.groups();
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const PairGroup& group) { return group.name == name; });
    return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
  }

  // The groups of a bearing's pairs are there already. Balls may have several.
  void add_bearing(const BearingModel& model) {
    BearingGroups bearing;
    bearing.balls = model.balls;
    const std::string& name = model.element.name;
    for (int k = 1;; ++k) {
      const int inner = group_named(fmt::format("contact:{}-inner{}", name, k)),
                outer = group_named(fmt::format("contact:{}-outer{}", name, k));
      if (inner < 0 || outer < 0) break;
      bearing.inner.push_back(inner), bearing.outer.push_back(outer);
    }
    if (bearing.inner.empty() || bearing.inner.size() < bearing.balls.size()) return;
    bearing.inner_race = first_pair(bearing.inner.back()).a, bearing.outer_race = first_pair(bearing.outer.back()).a;
    if constexpr (D == 3) {
      bearing.rings = attach_rings(model_, model.element.settings);
      const double modulus = rolling_geometry(model_, model).composite_modulus[0];
      bearing.pressure_factors = {pressure_factor(bearing.inner.back(), modulus),
                                  pressure_factor(bearing.outer.back(), modulus)};
    }
    pairs_.add_group({.name = "bearing:" + name});
    if (!parts_.nonsmooth) parts_.compliant.add_group({});
    parts_.outputs.add_bearing(std::move(bearing));
  }

  const ContactPair<D>& first_pair(int group) const { return pairs_.pairs()[pairs_.groups()[group].first_pair]; }

  // Pa/N^(1/3): 3/2 F over π a b, of which both axes grow with the cube root of the load.
  double pressure_factor(int group, double modulus) const {
    const ContactPair<D>& pair = first_pair(group);
    if (!(modulus > 0 && std::isfinite(modulus)) || !pair.kind->radii) return 0;
    const auto radii = pair.kind->radii(shape(pair.a), shape(pair.b));
    const auto ellipse = elliptic_contact({radii[0].along, radii[0].across}, {radii[1].along, radii[1].across}, 0);
    if (!ellipse) return 0;
    const double depth = std::pow(ellipse->stiffness(modulus), -2.0 / 3);  // m, at 1 N
    return 1.5 / (M_PI * ellipse->major_half_axis(depth) * ellipse->minor_half_axis(depth));
  }

  // Shapes of equal size and material on bodies of equal mass are alike if the same pairs mean them.
  void classify_shapes() {
    std::map<std::tuple<ShapeKind, double, double, double, std::string, double, std::vector<bool>, std::string>, int>
        classes;
    table_.class_of_shape.assign(pairs_.shapes().size(), -1);
    for (std::size_t b = 0; b < shapes_of_.size(); ++b) {
      const std::string& body = body_at(model_, static_cast<int>(b)).name;
      std::vector<bool> meant = {b == 0};
      for (const PairModel& pair : model_.pairs) {
        for (const std::string& name : pair.bodies) meant.push_back(means_body(name, body));
      }
      for (const BodyShape& each : shapes_of_[b]) {
        const Shape<D>& own = shape(each.index);
        const auto [entry, unique] = classes.emplace(
            std::tuple(own.kind, own.radius, own.groove_radius, own.bounding_radius(), each.geometry->material,
                       mass_of(static_cast<int>(b)), meant, each.geometry->name),
            static_cast<int>(classes.size()));
        table_.class_of_shape[each.index] = entry->second;
        if (unique) examples_.push_back(each);
      }
    }
    // Shapes of joints meet nobody else.
    table_.classes = static_cast<int>(classes.size()) + 1;
    for (int& number : table_.class_of_shape) number = number < 0 ? table_.classes - 1 : number;
    table_.encounters.assign(static_cast<std::size_t>(table_.classes) * table_.classes, {});
  }

  void add_encounters(const ResolvedContact& contact) {
    int group = -1;
    for (int first = 0; first < std::ssize(examples_); ++first) {
      if (!contact.means(0, examples_[first].body, *examples_[first].geometry)) continue;
      for (int second = 0; second < std::ssize(examples_); ++second) {
        if (contact.means(1, examples_[second].body, *examples_[second].geometry))
          add_encounter(contact, first, second, group);
      }
    }
  }

  void add_encounter(const ResolvedContact& contact, int first, int second, int& group) {
    const BodyShape &one = examples_[first], &two = examples_[second];
    int a = one.index, b = two.index;
    const PairDescription<D>* kind = nullptr;
    const bool swapped = find_kind(a, b, kind, *contact.contact());
    if (!kind || table_.of_classes(first, second).group >= 0) return;
    const ContactPartners partners = partners_of(contact, {{one.body, two.body}, {one.geometry, two.geometry}});
    if (group < 0) {
      group = begin_group({.name = contact.group(),
                           .allow_initial_penetration = contact.pair()->allow_initial_penetration,
                           .changes = true,
                           .points = std::numeric_limits<int>::max()},
                          partners);
    }
    const int law = add_law(partners, *kind, a, b);
    table_.of_classes(first, second) = {group, law, kind, swapped};
    table_.of_classes(second, first) = {group, law, kind, first == second ? swapped : !swapped};
  }

  double skin() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const BodyShape& example : examples_) {
      const double radius = shape(example.index).bounding_radius();
      if (shape(example.index).body > 0 && radius > 0) smallest = std::min(smallest, radius);
    }
    return skin_per_radius * smallest;
  }

  const Model& model_;
  const ContactParts<D>& parts_;
  ContactPairs<D>& pairs_;
  EncounterTable<D> table_;
  std::vector<std::vector<BodyShape>> shapes_of_;  // by body
  std::vector<BodyShape> examples_;                // one of every class
};

}  // namespace

template <int D>
void build_contacts(const Model& model, const ContactParts<D>& parts) {
  ContactBuilder<D>(model, parts).build();
}

template void build_contacts<2>(const Model&, const ContactParts<2>&);
template void build_contacts<3>(const Model&, const ContactParts<3>&);

}  // namespace carom::inline contacts
