#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/problem.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/stiffness.h"
#include "contacts/combine_materials.h"
#include "contacts/contact_set.h"
#include "contacts/patch.h"
#include "contacts/shape_pairs.h"
#include "model/attachment.h"

// From what the model says to shapes, laws and points. The model has been validated.
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
  ContactModel usual;
  usual.minimum_speed = 0;  // by the load
  return usual;
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

}  // namespace

template <int D>
class ContactSet<D>::Builder {
 public:
  Builder(ContactSet& set, const Model& model) : set_(set), model_(model) {}

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
    int most = 0;
    for (const Pair& pair : set_.pairs_) most = std::max(most, pair.points);
    set_.fixed_pairs_ = set_.pair_count();
    set_.fixed_points_ = set_.point_count();
    set_.fixed_memory_ = set_.memory_.size();
    if (!changing.empty()) {
      classify_shapes();
      for (const PairModel* pair : changing) add_encounters(*pair, most);
      watch_neighbours();
    }
    set_.contacts_.resize(most);
    for (Point& point : set_.points_) {
      const Group& group = set_.groups_[set_.pairs_[point.pair].group];
      if (!group.friction || !group.friction->has_bristle()) continue;
      point.bristle = set_.bristle_size();
      set_.bristles_.resize(set_.bristles_.size() + D, 0);
    }
    set_.bristle_rates_.assign(set_.bristles_.size(), 0);
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

  int begin_group(const std::string& name, const ContactModel& contact, const Partners& partners) {
    Group group;
    group.name = name;
    if (!set_.rigid_) group.friction = make_friction(contact, partners);
    group.rolling = Resistance(contact.rolling_resistance);
    group.spinning = Resistance(contact.spinning_resistance);
    group.minimum_speed = contact.minimum_speed;
    group.elastic_when_slow = contact.slow_contact == "elastic";
    group.first_pair = set_.pair_count();
    set_.groups_.push_back(std::move(group));
    return set_.group_count() - 1;
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
    Law law;
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
    if (set_.rigid_) {
      law.rigid = rigid_law(contact, partners, restitution);
      remark_on_friction(contact, law.rigid.friction);
      law.rigid.axis_ratio = patch.axis_ratio;
      if (elastic.stiffness() > 0 && std::isfinite(elastic.stiffness())) law.rigid.stiffness = elastic.stiffness();
      set_.laws_.push_back(std::move(law));
      return static_cast<int>(set_.laws_.size()) - 1;
    }
    law.normal = type.make({elastic, restitution, mass, contact.settings});
    law.stiffness = elastic.stiffness(), law.exponent = elastic.exponent(), law.mass = mass;
    law.axis_ratio = patch.axis_ratio;
    set_.laws_.push_back(std::move(law));
    // What damps by a number of its own, or lets go only where the penetration ends, returns something else.
    if (!contact.settings.has("damping") && contact.settings.text("end") != "adhesive")
      remark_on(type, contact.name, restitution);
    return static_cast<int>(set_.laws_.size()) - 1;
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
    remark(fmt::format(
        "{} `{}` returns a restitution of {:.4g} in a free impact where {:g} is asked for; the law `exact` returns "
        "{:g}",
        contact.empty() ? "the law" : fmt::format("contact `{}`: the law", contact), type.name, out, restitution,
        restitution));
  }

  // By impulses friction has one coefficient: what a law has besides it does not act.
  void remark_on_friction(const ContactModel& contact, double coefficient) {
    std::string lost;
    const auto add = [&](const std::string& what) { lost += (lost.empty() ? "" : ", ") + what; };
    const Settings& settings = contact.friction_settings;
    if (settings.number("static_coefficient", coefficient) != coefficient)
      add(fmt::format("its static coefficient {:g}", settings.number("static_coefficient")));
    if (settings.number("viscous") != 0) add(fmt::format("its viscous part {:g} s/m", settings.number("viscous")));
    if (contact.friction == "lugre" || contact.friction == "elasto-plastic") add("the elasticity of its bristles");
    if (lost.empty()) return;
    remark(fmt::format(
        "{}friction law `{}` is replaced by Coulomb's with the coefficient {:g} in the non-smooth method: {} "
        "{} not act; method = \"compliant\" takes the law as it is",
        contact.name.empty() ? "the " : fmt::format("contact `{}`: the ", contact.name), contact.friction, coefficient,
        lost, lost.find(", ") == std::string::npos ? "does" : "do"));
  }

  void remark(const std::string& text) {
    if (std::find(set_.remarks_.begin(), set_.remarks_.end(), text) == set_.remarks_.end())
      set_.remarks_.push_back(text);
  }

  void add_pair(int group, int a, int b, bool second_is_a, const ContactModel& contact, const Partners& partners) {
    const PairDescription<D>* kind = find_pair<D>(set_.shapes_[a].kind, set_.shapes_[b].kind);
    Pair pair;
    pair.swapped = second_is_a;
    if (!kind) {
      kind = find_pair<D>(set_.shapes_[b].kind, set_.shapes_[a].kind);
      std::swap(a, b);
      pair.swapped = !second_is_a;
    }
    if (!kind) return;
    const Shape<D>&first = set_.shapes_[a], &second = set_.shapes_[b];
    pair.kind = kind;
    pair.in_hole = kind->clearance != nullptr;
    pair.a = a, pair.b = b;
    pair.group = group;
    pair.law = make_law(contact, partners, patch_of(*kind, first, second),
                        kind->clearance ? kind->clearance(first, second) : 0);
    pair.first_point = set_.point_count();
    pair.points = kind->points(first, second);
    pair.memory = static_cast<int>(set_.memory_.size());
    set_.add_points(pair);
    ++set_.groups_[group].pairs;
    set_.groups_[group].points += pair.points;
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
    const int group = begin_group("joint:" + joint.name, contact, partners);
    set_.groups_[group].is_joint = true;
    set_.shapes_.push_back(bearing);
    set_.shapes_.push_back(journal);
    const int last = static_cast<int>(set_.shapes_.size()) - 1;
    add_pair(group, last - 1, last, play.bearing_second, contact, partners);
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
        shapes_of_[b].push_back({static_cast<int>(set_.shapes_.size()), &geometry});
        set_.shapes_.push_back(std::move(shape));
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
            {mass_of(set_.shapes_[a.index].body), mass_of(set_.shapes_[b.index].body)}};
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
              group = begin_group("contact:" + pair.name, contact, partners);
              set_.groups_[group].allow_initial_penetration = pair.allow_initial_penetration;
            }
            add_pair(group, a, b, false, contact, partners);
          }
        }
      }
    }
  }

  // The groups of a bearing's pairs are there already.
  void add_bearing(const BearingModel& model) {
    Bearing bearing;
    bearing.balls = model.balls;
    const std::string& name = model.element.name;
    for (std::size_t k = 1; k <= model.balls.size(); ++k) {
      const auto number = [&](const std::string& race) {
        const std::string wanted = fmt::format("contact:{}-{}{}", name, race, k);
        const auto found = std::find_if(set_.groups_.begin(), set_.groups_.end(),
                                        [&](const Group& group) { return group.name == wanted; });
        return found == set_.groups_.end() ? -1 : static_cast<int>(found - set_.groups_.begin());
      };
      const int inner = number("inner"), outer = number("outer");
      if (inner < 0 || outer < 0) return;
      bearing.inner.push_back(inner);
      bearing.inner_race = set_.pairs_[set_.groups_[inner].first_pair].a;
      bearing.outer_race = set_.pairs_[set_.groups_[outer].first_pair].a;
    }
    Group group;
    group.name = "bearing:" + name;
    group.first_pair = set_.pair_count();
    group.bearing = static_cast<int>(set_.bearings_.size());
    set_.groups_.push_back(std::move(group));
    set_.bearings_.push_back(std::move(bearing));
  }

  static bool is_chosen(const std::string& wanted, const Geometry& geometry) {
    return wanted.empty() || geometry.name == wanted;
  }

  // Shapes of equal size and material on bodies of equal mass are alike if the same pairs mean them.
  void classify_shapes() {
    std::map<std::tuple<ShapeKind, double, double, double, std::string, double, std::vector<bool>, std::string>, int>
        classes;
    set_.class_of_shape_.assign(set_.shapes_.size(), -1);
    for (std::size_t b = 0; b < shapes_of_.size(); ++b) {
      const std::string& body = body_at(model_, static_cast<int>(b)).name;
      std::vector<bool> meant = {b == 0};
      for (const PairModel& pair : model_.pairs) {
        for (const std::string& name : pair.bodies) meant.push_back(means_body(name, body));
      }
      for (const BodyShape& each : shapes_of_[b]) {
        const Shape<D>& shape = set_.shapes_[each.index];
        const auto [entry, unique] = classes.emplace(
            std::tuple(shape.kind, shape.radius, shape.groove_radius, shape.bounding_radius(), each.geometry->material,
                       mass_of(static_cast<int>(b)), meant, each.geometry->name),
            static_cast<int>(classes.size()));
        set_.class_of_shape_[each.index] = entry->second;
        if (unique) examples_.push_back({each.index, each.geometry});
      }
    }
    // Shapes of joints meet nobody else.
    set_.classes_ = static_cast<int>(classes.size()) + 1;
    for (int& number : set_.class_of_shape_) number = number < 0 ? set_.classes_ - 1 : number;
    set_.encounters_.assign(static_cast<std::size_t>(set_.classes_) * set_.classes_, {});
  }

  bool is_meant(const PairModel& pair, int side, const BodyShape& shape) const {
    const std::string& body = body_at(model_, set_.shapes_[shape.index].body).name;
    return means_body(pair.bodies[side], body) && is_chosen(pair.shapes[side], *shape.geometry);
  }

  void add_encounters(const PairModel& pair, int& most_points) {
    const ContactModel contact = find_contact(model_, pair.contact);
    int group = -1;
    for (std::size_t a = 0; a < examples_.size(); ++a) {
      for (std::size_t b = 0; b < examples_.size(); ++b) {
        if (!is_meant(pair, 0, examples_[a]) || !is_meant(pair, 1, examples_[b])) continue;
        const Shape<D>&first = set_.shapes_[examples_[a].index], &second = set_.shapes_[examples_[b].index];
        const PairDescription<D>* kind = find_pair<D>(first.kind, second.kind);
        const bool swapped = kind == nullptr;
        if (swapped) kind = find_pair<D>(second.kind, first.kind);
        if (!kind || set_.encounters_[a * set_.classes_ + b].group >= 0) continue;
        const Partners partners = partners_of(pair, examples_[a], examples_[b]);
        if (group < 0) {
          group = begin_group("contact:" + pair.name, contact, partners);
          set_.groups_[group].allow_initial_penetration = pair.allow_initial_penetration;
          set_.groups_[group].changes = true;
          set_.groups_[group].points = std::numeric_limits<int>::max();
        }
        const Shape<D>&one = swapped ? second : first, &two = swapped ? first : second;
        const int law =
            make_law(contact, partners, patch_of(*kind, one, two), kind->clearance ? kind->clearance(one, two) : 0);
        most_points = std::max(most_points, kind->points(one, two));
        set_.encounters_[a * set_.classes_ + b] = {group, law, kind, swapped};
        set_.encounters_[b * set_.classes_ + a] = {group, law, kind, a == b ? swapped : !swapped};
      }
    }
  }

  void watch_neighbours() {
    double smallest = std::numeric_limits<double>::infinity();
    for (const BodyShape& example : examples_) {
      const double radius = set_.shapes_[example.index].bounding_radius();
      if (set_.shapes_[example.index].body > 0 && radius > 0) smallest = std::min(smallest, radius);
    }
    ContactSet* set = &set_;
    set_.broad_phase_ = std::make_unique<BroadPhase<D>>(
        set_.shapes_, skin_per_radius * smallest, [set](const Shape<D>& a, const Shape<D>& b) {
          const Shape<D>* first = set->broad_phase_->shapes().data();
          return set->encounter(static_cast<int>(&a - first), static_cast<int>(&b - first)).group >= 0;
        });
  }

  ContactSet& set_;
  const Model& model_;
  std::vector<std::vector<BodyShape>> shapes_of_;  // by body
  std::vector<BodyShape> examples_;                // one of every class
};

template <int D>
ContactSet<D>::ContactSet(const Model& model) {
  rigid_ = model.solver.method == "nonsmooth";
  Builder(*this, model).build();
}

template ContactSet<2>::ContactSet(const Model&);
template ContactSet<3>::ContactSet(const Model&);

}  // namespace carom
