#include "contacts/build_contacts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/problem.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/stiffness.h"
#include "contacts/combine_materials.h"
#include "contacts/patch.h"
#include "contacts/shape_pairs.h"
#include "model/attachment.h"

namespace carom {
namespace {

// A law that returns a restitution farther than this from the one asked for is worth a word.
constexpr double noticeable_restitution_error = 0.02;

constexpr double skin_per_radius = 0.2;  // of the smallest shape

const Material* find_material(const Model& model, const std::string& name) {
  for (const Material& material : model.materials) {
    if (material.name == name) return &material;
  }
  return nullptr;
}

ContactModel find_contact(const Model& model, const std::string& name) {
  for (const ContactModel& contact : model.contacts) {
    if (contact.name == name) return contact;
  }
  return {};
}

template <int D>
Rotation<D> rotation_of(const Eigen::Quaterniond& orientation) {
  if constexpr (D == 2) {
    return Rotation<2>(2 * std::atan2(orientation.z(), orientation.w()));
  } else {
    return Rotation<3>(orientation.toRotationMatrix());
  }
}

template <int D>
std::optional<ShapeKind> kind_of(const std::string& shape) {
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::plane, ShapeKind::box, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::cavity,
        ShapeKind::bore, ShapeKind::slot, ShapeKind::profile, ShapeKind::inner_race, ShapeKind::outer_race}) {
    if (shape == name_of(kind)) return kind;
  }
  return std::nullopt;
}

template <int D>
class ContactBuilder {
 public:
  ContactBuilder(const Model& model, const ContactParts<D>& parts)
      : model_(model),
        nonsmooth_(parts.nonsmooth),
        pairs_(parts.pairs),
        compliant_(parts.compliant),
        impulses_(parts.impulses),
        outputs_(parts.outputs),
        remarks_(parts.remarks) {}

  void build() {
    for (const ElementModel& joint : model_.joints) {
      if (joint.clearance) add_joint(joint);
    }
    add_geometry();
    std::vector<const PairModel*> changing;
    for (const PairModel& pair : model_.pairs) {
      if (shape_pairs(model_, pair) > most_fixed_pairs) {
        changing.push_back(&pair);
      } else {
        add_pairs(pair);
      }
    }
    for (const BearingModel& bearing : model_.bearings) add_bearing(bearing);
    if (changing.empty()) return;
    classify_shapes();
    for (const PairModel* pair : changing) add_encounters(*pair);
    pairs_.watch_neighbours(std::move(table_), skin());
  }

 private:
  struct BodyShape {
    int index;
    const Geometry* geometry;
  };
  struct Partners {
    std::array<const Material*, 2> materials{};
    std::array<double, 2> masses{};  // kg; infinite for the ground
  };

  double mass_of(int body) const {
    return body == 0 ? std::numeric_limits<double>::infinity() : model_.bodies[body - 1].mass;
  }

  int begin_group(PairGroup group, const ContactModel& contact, const Partners& partners, bool is_joint = false) {
    if (!nonsmooth_) {
      CompliantGroup law;
      law.friction = make_friction(contact, partners);
      law.rolling = Resistance(contact.rolling_resistance);
      law.spinning = Resistance(contact.spinning_resistance);
      law.minimum_speed = contact.minimum_speed;
      law.elastic_when_slow = contact.slow_contact == "elastic";
      compliant_.add_group(std::move(law));
    }
    outputs_.add_pairs(is_joint);
    return pairs_.add_group(std::move(group));
  }

  std::unique_ptr<FrictionLaw> make_friction(const ContactModel& contact, const Partners& partners) const {
    const double combined = combined_friction(partners.materials[0], partners.materials[1]);
    Settings settings = contact.friction_settings;
    if (!settings.has("coefficient") && combined >= 0) settings.set("coefficient", combined);
    const std::string name = !contact.friction.empty() ? contact.friction : combined > 0 ? "tanh" : "none";
    return name == "none" ? nullptr : find_friction_law(name)->make(settings);
  }

  int make_law(const ContactModel& contact, const Partners& partners, const Patch& patch, double clearance) {
    const double combined = combined_restitution(partners.materials[0], partners.materials[1]);
    const double restitution = contact.restitution >= 0 ? contact.restitution : combined >= 0 ? combined : 1;
    const NormalLawDescription& type = *find_normal_law(contact.law);
    const ElasticDescription& shape = *find_elastic(contact.elastic.empty() ? type.elastic : contact.elastic);
    double modulus = 0;
    if (partners.materials[0] && partners.materials[1]) {
      const Material &a = *partners.materials[0], &b = *partners.materials[1];
      modulus = composite_modulus(a.young, a.poisson, b.young, b.poisson);
    }
    const double mass = 1 / (1 / partners.masses[0] + 1 / partners.masses[1]);
    const ElasticLaw elastic = shape.make({.composite_modulus = modulus,
                                           .effective_radius = patch.effective_radius,
                                           .radial_clearance = clearance,
                                           .settings = contact.settings});
    if (nonsmooth_) {
      RigidLaw law = rigid_law(contact, partners, restitution);
      law.axis_ratio = patch.axis_ratio;
      if (elastic.stiffness() > 0 && std::isfinite(elastic.stiffness())) law.stiffness = elastic.stiffness();
      return impulses_.add_law(law);
    }
    remark_on(type, contact.name, restitution);
    return compliant_.add_law({.normal = type.make({elastic, restitution, mass, contact.settings}),
                               .stiffness = elastic.stiffness(),
                               .exponent = elastic.exponent(),
                               .mass = mass,
                               .axis_ratio = patch.axis_ratio});
  }

  static RigidLaw rigid_law(const ContactModel& contact, const Partners& partners, double restitution) {
    const double combined = combined_friction(partners.materials[0], partners.materials[1]);
    double friction = 0;
    if (contact.friction != "none") {
      friction = contact.friction_settings.has("coefficient") ? contact.friction_settings.number("coefficient")
                                                              : std::max(0.0, combined);
    }
    return {.restitution = restitution,
            .tangential_restitution = contact.tangential_restitution,
            .friction = friction,
            .rolling = contact.rolling_resistance,
            .spinning = contact.spinning_resistance,
            .coupled = contact.coupled_spinning};
  }

  void remark_on(const NormalLawDescription& type, const std::string& contact, double restitution) {
    if (!type.uses_restitution || !type.restitution_out) return;
    const double out = type.restitution_out(restitution);
    if (!(std::abs(out - restitution) > noticeable_restitution_error)) return;
    const std::string text = fmt::format(
        "{} `{}` returns a restitution of {:.4g} in a free impact where {:g} is asked for; the law `exact` returns "
        "{:g}",
        contact.empty() ? "the law" : fmt::format("contact `{}`: the law", contact), type.name, out, restitution,
        restitution);
    if (std::find(remarks_.begin(), remarks_.end(), text) == remarks_.end()) remarks_.push_back(text);
  }

  void add_pair(int group, int a, int b, bool second_is_a, const ContactModel& contact, const Partners& partners) {
    const PairDescription<D>* kind = find_pair<D>(shape(a).kind, shape(b).kind);
    const bool turned = !kind;
    if (turned) std::swap(a, b);
    if (turned) kind = find_pair<D>(shape(a).kind, shape(b).kind);
    if (!kind) return;
    const int law = make_law(contact, partners, patch_of(*kind, shape(a), shape(b)), clearance_of(*kind, a, b));
    const int pair =
        pairs_.add_pair({.kind = kind, .a = a, .b = b, .swapped = second_is_a != turned, .group = group, .law = law});
    ++pairs_.group(group).pairs;
    pairs_.group(group).points += pairs_.pairs()[pair].points;
  }

  const Shape<D>& shape(int index) const { return pairs_.shapes()[index]; }
  double clearance_of(const PairDescription<D>& kind, int a, int b) const {
    return kind.clearance ? kind.clearance(shape(a), shape(b)) : 0;
  }

  // A joint with clearance: the bearing is shape a, the journal shape b.
  void add_joint(const ElementModel& joint) {
    const ClearanceModel& play = *joint.clearance;
    const AttachmentPair placement = attach_pair(model_, joint.settings);
    const int bearing_side = play.bearing_second ? 1 : 0;
    Shape<D> bearing = shape_at(placement.at[bearing_side]), journal = shape_at(placement.at[1 - bearing_side]);
    const double inner = play.bearing_radius - play.radial;
    bearing.name = joint.name + " bearing", journal.name = joint.name + " journal";
    bearing.radius = play.bearing_radius, journal.radius = inner;
    bearing.length = journal.length = play.length;
    if (joint.type == "spherical" || (D == 2 && joint.type == "revolute")) {
      bearing.kind = ShapeKind::cavity, journal.kind = ShapeKind::sphere;
    } else if (joint.type == "prismatic") {
      bearing.kind = ShapeKind::slot, journal.kind = ShapeKind::box;
      const double half_height = D == 3 && play.bearing_height > 0 ? play.bearing_height / 2 : play.bearing_radius;
      bearing.half[0] = play.bearing_radius, bearing.half[1] = half_height;
      journal.half[0] = inner, journal.half[1] = half_height - play.radial;
      journal.half[D == 2 ? 0 : 2] = play.length / 2;
    } else {
      bearing.kind = ShapeKind::bore, journal.kind = ShapeKind::cylinder;
      // A pin has shoulders that keep it in place; a cylindrical joint slides.
      if (joint.type == "revolute") bearing.half[D - 1] = play.radial;
    }
    const ContactModel contact = find_contact(model_, play.contact);
    const Partners partners = {
        {find_material(model_, play.materials[bearing_side]), find_material(model_, play.materials[1 - bearing_side])},
        {mass_of(bearing.body), mass_of(journal.body)}};
    const int group = begin_group({.name = "joint:" + joint.name}, contact, partners, true);
    const int a = pairs_.add_shape(std::move(bearing)), b = pairs_.add_shape(std::move(journal));
    add_pair(group, a, b, play.bearing_second, contact, partners);
  }

  // The local axes of a slot or a bore follow the axis of the joint.
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
    for (std::size_t b = 0; b < shapes_of_.size(); ++b) {
      const BodyModel& body = body_at(model_, static_cast<int>(b));
      for (const Geometry& geometry : body.geometry) {
        const auto kind = kind_of<D>(geometry.shape);
        if (!kind) continue;
        Shape<D> shape;
        shape.kind = *kind;
        shape.body = static_cast<int>(b);
        shape.position = (geometry.position - body.center_of_mass).template head<D>();
        shape.orientation = rotation_of<D>(geometry.orientation);
        shape.radius = geometry.settings.number("radius");
        shape.length = geometry.settings.number("length");
        shape.groove_radius = geometry.settings.number("groove_radius");
        const auto size = geometry.settings.numbers("size");
        for (int k = 0; k < D && k < static_cast<int>(size.size()); ++k) shape.half[k] = size[k] / 2;
        if (*kind == ShapeKind::slot) {
          const double width = geometry.settings.number("width");
          shape.half[0] = width / 2;
          shape.half[1] = (D == 2 ? width : geometry.settings.number("height", width)) / 2;
        }
        if (*kind == ShapeKind::profile) shape.profile = profile_of(geometry);
        shape.name = body.name + (geometry.name.empty() ? "" : "." + geometry.name);
        shapes_of_[b].push_back({pairs_.add_shape(std::move(shape)), &geometry});
      }
    }
  }

  static std::shared_ptr<const Profile> profile_of(const Geometry& geometry) {
    std::vector<Eigen::Vector2d> points;
    for (const Eigen::Vector3d& point : geometry.settings.points("points")) points.push_back(point.head<2>());
    return std::make_shared<const Profile>(Profile::through(points, geometry.settings.boolean("closed", true)));
  }

  std::vector<int> bodies_named(const std::string& name) const {
    if (!is_pattern(name)) return {body_index(model_, name)};
    std::vector<int> all;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (means_body(name, model_.bodies[b].name)) all.push_back(static_cast<int>(b) + 1);
    }
    return all;
  }

  Partners partners_of(const PairModel& pair, const BodyShape& a, const BodyShape& b) const {
    const std::string& first = pair.materials[0].empty() ? a.geometry->material : pair.materials[0];
    const std::string& second = pair.materials[1].empty() ? b.geometry->material : pair.materials[1];
    return {{find_material(model_, first), find_material(model_, second)},
            {mass_of(shape(a.index).body), mass_of(shape(b.index).body)}};
  }

  void add_pairs(const PairModel& pair) {
    const ContactModel contact = find_contact(model_, pair.contact);
    int group = -1;
    const std::vector<int> firsts = bodies_named(pair.bodies[0]), seconds = bodies_named(pair.bodies[1]);
    const auto among = [](const std::vector<int>& sorted, int body) {
      return std::binary_search(sorted.begin(), sorted.end(), body);
    };
    for (const int first : firsts) {
      for (const int second : seconds) {
        if (first == second) continue;
        // Two bodies that both patterns fit come in either order.
        if (second < first && among(firsts, second) && among(seconds, first)) continue;
        for (const auto& [a, geometry_a] : shapes_of_[first]) {
          if (!is_chosen(pair.shapes[0], *geometry_a)) continue;
          for (const auto& [b, geometry_b] : shapes_of_[second]) {
            if (!is_chosen(pair.shapes[1], *geometry_b)) continue;
            const Partners partners = partners_of(pair, {a, geometry_a}, {b, geometry_b});
            if (group < 0) {
              group = begin_group(
                  {.name = "contact:" + pair.name, .allow_initial_penetration = pair.allow_initial_penetration},
                  contact, partners);
            }
            add_pair(group, a, b, false, contact, partners);
          }
        }
      }
    }
  }

  // The groups of a bearing's pairs are there already.
  void add_bearing(const BearingModel& model) {
    BearingGroups bearing;
    bearing.balls = model.balls;
    const std::string& name = model.element.name;
    for (std::size_t k = 1; k <= model.balls.size(); ++k) {
      const auto number = [&](const std::string& race) {
        const std::string wanted = fmt::format("contact:{}-{}{}", name, race, k);
        const std::vector<PairGroup>& groups = pairs_.groups();
        const auto found =
            std::find_if(groups.begin(), groups.end(), [&](const PairGroup& group) { return group.name == wanted; });
        return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
      };
      const int inner = number("inner"), outer = number("outer");
      if (inner < 0 || outer < 0) return;
      bearing.inner.push_back(inner);
      bearing.inner_race = pairs_.pairs()[pairs_.groups()[inner].first_pair].a;
      bearing.outer_race = pairs_.pairs()[pairs_.groups()[outer].first_pair].a;
    }
    pairs_.add_group({.name = "bearing:" + name});
    if (!nonsmooth_) compliant_.add_group({});
    outputs_.add_bearing(std::move(bearing));
  }

  static bool is_chosen(const std::string& wanted, const Geometry& geometry) {
    return wanted.empty() || geometry.name == wanted;
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
        if (unique) examples_.push_back({each.index, each.geometry});
      }
    }
    // Shapes of joints meet nobody else.
    table_.classes = static_cast<int>(classes.size()) + 1;
    for (int& number : table_.class_of_shape) number = number < 0 ? table_.classes - 1 : number;
    table_.encounters.assign(static_cast<std::size_t>(table_.classes) * table_.classes, {});
  }

  bool is_meant(const PairModel& pair, int side, const BodyShape& shape) const {
    const std::string& body = body_at(model_, pairs_.shapes()[shape.index].body).name;
    return means_body(pair.bodies[side], body) && is_chosen(pair.shapes[side], *shape.geometry);
  }

  void add_encounters(const PairModel& pair) {
    const ContactModel contact = find_contact(model_, pair.contact);
    int group = -1;
    for (std::size_t k = 0; k < examples_.size(); ++k) {
      for (std::size_t m = 0; m < examples_.size(); ++m) {
        if (!is_meant(pair, 0, examples_[k]) || !is_meant(pair, 1, examples_[m])) continue;
        int a = examples_[k].index, b = examples_[m].index;
        const PairDescription<D>* kind = find_pair<D>(shape(a).kind, shape(b).kind);
        const bool swapped = !kind;
        if (swapped) std::swap(a, b);
        if (swapped) kind = find_pair<D>(shape(a).kind, shape(b).kind);
        const int first = static_cast<int>(k), second = static_cast<int>(m);
        if (!kind || table_.of_classes(first, second).group >= 0) continue;
        const Partners partners = partners_of(pair, examples_[k], examples_[m]);
        if (group < 0) {
          group = begin_group({.name = "contact:" + pair.name,
                               .allow_initial_penetration = pair.allow_initial_penetration,
                               .changes = true,
                               .points = std::numeric_limits<int>::max()},
                              contact, partners);
        }
        const int law = make_law(contact, partners, patch_of(*kind, shape(a), shape(b)), clearance_of(*kind, a, b));
        table_.of_classes(first, second) = {group, law, kind, swapped};
        table_.of_classes(second, first) = {group, law, kind, first == second ? swapped : !swapped};
      }
    }
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
  const bool nonsmooth_;
  ContactPairs<D>& pairs_;
  CompliantContacts<D>& compliant_;
  NonsmoothContacts<D>& impulses_;
  ContactOutputs<D>& outputs_;
  std::vector<std::string>& remarks_;
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

}  // namespace carom
