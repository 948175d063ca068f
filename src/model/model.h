#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "base/dimension.h"
#include "base/problem.h"
#include "model/enumerations.h"
#include "model/settings.h"

// Plain data that says what the model file says, in SI units. Nothing here computes. The initialisers are the defaults
// of the file; the tables of fields (model_io/field_tables.h) say which key each member is.
namespace carom::inline model {

struct Marker {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, body axes
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  double angle = 0;  // rad, planar orientation as the file says it; where it differs, the orientation counts
};

// A shape attached to a body, for drawing and for contact.
struct Geometry {
  std::string
      shape;  // sphere, box, ellipsoid, cylinder, capsule, plane, profile, cavity, slot, bore, inner_race, outer_race
  std::string name;      // unique on its body; empty: cannot be referred to
  std::string material;  // empty: not given
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Settings settings;    // radius, size, length, width, points, closed, color
  double angle = 0;     // as that of a marker
  bool visual = false;  // drawn only: it touches nothing
};

// Makes many copies of a body, on a lattice along the world axes or as the links of a chain: [body.grid].
struct GridModel {
  std::vector<double> count;                          // of places along x, y and, in space, z
  Eigen::Vector3d spacing = Eigen::Vector3d::Zero();  // m, of the places along each axis
  double total = 0;                                   // of copies; 0: all places are taken
  double jitter = 0;                                  // m, farthest displacement of each coordinate
  double seed = 12345;                                // of the displacements
  std::vector<Eigen::Vector3d> points = {};           // m, world axes: the way of a chain; empty: a lattice
  std::vector<double> radii = {};                     // m, of circles about them that the way runs round
  double pitch = 0;                                   // m, length of a link
  std::string joint = {};                             // type of those between neighbours; empty: none
};

// Cross-section of beams: [section.NAME].
struct SectionModel {
  std::string name;
  Settings settings;  // shape, and the keys of the shape
  SourceLocation where;
};

// What makes a body a beam: body.flexible, and the keys of a [[beam]].
struct FlexibleModel {
  std::string section, material;           // names
  std::vector<Eigen::Vector3d> line = {};  // m, body axes; empty: between the joints that are farthest apart
  int elements = 8;                        // into which the line is cut
  LineShape shape = LineShape::straight;
  Eigen::Vector3d up = Eigen::Vector3d::Zero();  // towards which z of the section points; 0: chosen
  double twist = 0;                              // rad, of the section about the line, from begin to end
  double damping_ratio = 0;                      // of the first bending mode
  double mass_damping = 0;                       // 1/s
  double stiffness_damping = 0;                  // s
};

struct BodyModel {
  std::string name;
  double mass = 1;                                           // kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();     // kg m², about the mass centre, body axes; planar: (2,2)
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  // m, body axes
  Eigen::Vector3d position = Eigen::Vector3d::Zero();        // m, of the origin
  double angle = 0;                                          // rad, planar orientation, any number of turns
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // also set in planar models, from the angle
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // m/s, of the mass centre, world axes
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s, world axes
  bool velocity_given = false, angular_velocity_given = false;      // kept exactly where the constraints allow it
  std::vector<Marker> markers;
  std::vector<Geometry> geometry;
  std::string grid;  // name of the [[body]] whose [body.grid] made this copy; empty: no copy
  SourceLocation where;
  // Of a model as the file says it: that copies are made of the body, or a beam. Null: neither.
  std::shared_ptr<const GridModel> lattice = {};
  std::shared_ptr<const FlexibleModel> flexible = {};
  double density = 0;    // kg/m³, of all its shapes; 0: not given
  double thickness = 0;  // m, of its shapes across the plane of a planar model; 0: not given
  // What the reader has made of the shapes and their densities: it is no key of the file.
  bool mass_from_shapes = false, inertia_from_shapes = false, center_from_shapes = false;
};

struct Material {
  std::string name;
  double density = 0, young = 0, poisson = 0;  // 0: not given
  double restitution = -1, friction = -1;      // < 0: not given
  double hardness = 0;                         // Pa, indentation hardness; 0: not given
  double wear_coefficient = -1;                // k of Archard's law, of this material in its pairing; < 0: not given
  SourceLocation where;
};

// How surfaces that touch behave: [contact.NAME]. One description serves both methods.
struct ContactModel {
  std::string name;
  std::string law = "exact";   // of the normal force
  std::string elastic;         // shape of its conservative part; empty: the law's own
  double restitution = -1;     // < 0: from the materials
  Settings settings;           // stiffness, exponent, length, damping, depth, end, … : keys of the law and the shape
  std::string friction;        // law; empty: `tanh` when the materials have friction, none otherwise
  Settings friction_settings;  // its keys; without `coefficient` it comes from the materials
  double rolling_resistance = 0, spinning_resistance = 0;   // m, torque per normal force
  bool coupled_spinning = false;                            // sliding and spinning share one bound; non-smooth only
  double tangential_restitution = 0;                        // non-smooth only
  RestitutionLaw restitution_law = RestitutionLaw::newton;  // non-smooth only
  double minimum_speed = 0;                                 // m/s, slowest impact the law sees; 0: by the load
  SlowContact slow_contact = SlowContact::floor;            // below it
  ContactRegion region = ContactRegion::automatic;          // where meshes press on each other; compliant only
  SourceLocation where;
};

// Which bodies may touch, and how: [[pair]].
struct PairModel {
  std::string name;
  std::array<std::string, 2> bodies;     // names; a pattern stands for all moving bodies it fits
  std::array<std::string, 2> shapes;     // names of their geometry; empty: all that can touch
  std::array<std::string, 2> materials;  // empty: those of the shapes
  std::string contact;                   // name of a [contact.NAME]; empty: the default law
  bool allow_initial_penetration = false;
  std::string bearing = {};  // name of the [[bearing]] that it is part of; empty: a [[pair]] of the file
  SourceLocation where;
};

// The clearance of a real joint: [joint.clearance].
struct ClearanceModel {
  double radial = 0;            // m
  double bearing_radius = 0;    // m; of a prismatic joint: half the width of the guide
  double bearing_height = 0;    // m, the other side of the guide of a prismatic joint in space; 0: as wide
  double length = 0;            // m, of the bearing along its axis, of the slide along its guide; 0: not given
  bool bearing_second = false;  // the bearing is on the second body
  std::array<std::string, 2> materials;
  std::string contact;
  SourceLocation where;
};

// A flexible beam: nodes, which are bodies of the model, and elements between neighbours (docs/theory/beams.md).
struct BeamModel {
  struct Section {
    bool operator==(const Section&) const = default;
    double area = 0;                      // m²
    double inertia_y = 0, inertia_z = 0;  // m⁴, second moments of area about the axes y and z
    double torsion = 0;                   // m⁴, torsion constant
    double shear_y = 1, shear_z = 1;      // shear factors: shear stiffness is factor · G A
    double edge_y = 0, edge_z = 0;        // m, how far the material reaches; 0: not known, no stress is reported
    double torsion_modulus = 0;           // m³, torque over largest shear stress; 0: not known
  };
  struct Element {
    bool operator==(const Element&) const = default;
    // Axes of its two ends (x along the line, y and z of the section) in those of their nodes.
    Eigen::Matrix3d frame_a = Eigen::Matrix3d::Identity(), frame_b = Eigen::Matrix3d::Identity();
    double length = 0;  // m
  };
  std::string name;
  std::vector<int> nodes;         // as body_index counts them
  std::vector<Element> elements;  // one less
  Section section;
  double young = 0, shear = 0, density = 0;  // Pa, Pa, kg/m³
  double mass_damping = 0;                   // 1/s, force per momentum
  double stiffness_damping = 0;              // s, stress per strain rate over stress per strain
  SourceLocation where;
};

// Joints and force elements are named by type; their keys are checked against the catalogue when read.
struct ElementModel {
  std::string name;
  std::string type;
  Settings settings;  // bodies, at, points, markers, axis, … and the keys of the type
  SourceLocation where;
  std::optional<ClearanceModel> clearance = {};  // joints only: the joint is a contact instead of a constraint
  bool implied = false;  // signals only, and no entry of the file: a quantity in an expression, a variable parameter
};

// A rolling bearing. In the plane, races on two bodies; balls and cage, which are bodies, pairs and springs of the
// model (docs/theory/bearings.md). In space, with quasi-static detail, an element between its two bodies
// (docs/theory/rolling_bearings.md); its keys become a RollingGeometry (bearings/geometry.h).
struct BearingModel {
  ElementModel element;  // its keys; the first of its bodies carries the outer race
  CageType cage_type = CageType::none;
  Settings cage_settings;                     // the other keys of its [bearing.cage]
  double inner_radius = 0, outer_radius = 0;  // m, of the bottoms of the grooves
  double ball_radius = 0;                     // m
  double inner_share = 0.5;                   // of the room or overlap between a ball and both races, at the inner one
  double first_angle = 0;                     // rad, at which the first ball starts, from the x axis of the world
  std::vector<int> balls;                     // as body_index counts them; empty: the keys are unsound
  int cage = 0;                               // likewise; 0: it is none of the bodies
  bool rolling_start = true;
  bool is_element = false;  // it acts as a force between its bodies, without bodies of its own
  double clearance() const { return outer_radius - inner_radius - 2 * ball_radius; }  // m; < 0: preload
};

enum class MotionLevel { position, speed, acceleration };

struct MotionModel {
  std::string name;
  std::string joint;                                // "pivot" or "pivot.rotation"; empty when a body is driven
  std::string body;                                 // empty when a joint is driven
  BodyCoordinate component = BodyCoordinate::none;  // of the body
  MotionLevel level = MotionLevel::position;
  Function value;  // of t
  SourceLocation where;
};

// Something that happens on the way: [[event]].
struct EventModel {
  struct Setting {
    std::string signal;  // of type held
    Function value;      // of t and signals, before anything is set
  };
  std::string name;
  bool has_condition = false;
  Function when;  // of t and signals: the event is where it crosses 0
  std::string direction = "rising";
  double at = std::numeric_limits<double>::infinity();  // s, instead of a condition; infinity: not given
  std::string contact;                                  // likewise: a pair, or a joint with clearance
  std::string change = "start";                         // of the contact
  bool once = false;
  bool stop = false;
  std::vector<std::string> set;  // "signal = expression"
  std::vector<Setting> settings;
  std::vector<std::string> lock, unlock, release, engage;  // joints
  std::vector<std::string> attach, detach;                 // likewise
  std::vector<std::string> switch_off, switch_on;          // drives
  SourceLocation where;
  bool changes_structure() const {
    return !(lock.empty() && unlock.empty() && release.empty() && engage.empty() && attach.empty() && detach.empty() &&
             switch_off.empty() && switch_on.empty());
  }
};

// What events have made of the joints and drives of a model; nothing at the start but what the file says.
struct JointStates {
  struct Lock {
    std::string joint;
    std::vector<double> values;  // of its coordinates, at which it is held
  };
  struct Grip {  // a joint that holds its bodies as they were when it took hold of them
    std::string joint;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();      // m, of the joint on its second body, as an Attachment has it
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  // likewise
  };
  std::vector<Lock> locks;
  std::vector<Grip> grips;
  std::vector<std::string> released;      // joints that hold nothing
  std::vector<std::string> switched_off;  // drives
  bool is_released(const std::string& joint) const {
    return std::find(released.begin(), released.end(), joint) != released.end();
  }
  bool is_off(const std::string& motion) const {
    return std::find(switched_off.begin(), switched_off.end(), motion) != switched_off.end();
  }
};

struct SolverSettings {
  Analysis analysis = Analysis::dynamic;
  ContactMethod method = ContactMethod::compliant;
  double start = 0, end = 1;  // s
  std::string integrator = "auto";
  std::vector<std::string> inputs, outputs;  // signals, of a linear analysis
  int load_steps = 0;                        // of a static analysis; 0: one equilibrium, at the start
  double tolerance = 1e-8;                   // relative
  double step = 0;                           // s; 0: chosen by the integrator
  double first_step = 0;                     // s; 0: chosen
  double max_step = 0;                       // s; 0: no bound
  double rho_infinity = 0.8;                 // generalized-alpha
  ConstraintTreatment constraints = ConstraintTreatment::projection;
  double baumgarte_alpha = 5, baumgarte_beta = 5;  // 1/s
  PenetrationControl penetration_control = PenetrationControl::locate;
  double penetration_tolerance = 1e-9;  // m, deepest beginning of a contact
  // s, of penetration_control = "reject"; below it a contact begins too deep. 0: as the tolerance asks for
  double smallest_step = 0;
  // Non-smooth method.
  std::string scheme = "decoupled";  // decoupled (non-smooth generalized-α), moreau-jean
  ImpactOrder impacts = ImpactOrder::sequential;
  std::string contact_solver = "auto";  // of the catalogue of the room impact
  double contact_tolerance = 1;         // of the iterative solver, relative to what a step of free motion does
  Settings type_settings;               // keys of the types named above
};

struct OutputSettings {
  double every = 0;  // s; 0: a thousandth of the time span
  std::vector<std::string> record = {"*"};
  bool compress = false;
};

// The lists of a model that are not always what the file says: the reader makes copies of the bodies of grids, nodes
// and elements of beams, balls and springs of bearings, and lets joints, forces and pairs name them.
struct ModelParts {
  std::vector<BodyModel> bodies;  // without the ground
  BodyModel ground;               // only markers and geometry
  std::vector<ElementModel> joints;
  std::vector<PairModel> pairs;
  std::vector<ElementModel> forces;
  std::vector<BearingModel> bearings;
  std::vector<BodyModel> beam_bodies;  // [[beam]] as the file says them; their axes are those of the world
};

struct Model : ModelParts {
  std::string name;
  std::string file;  // where it was read from, for messages
  std::string text;  // the file as read
  bool planar = false;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::map<std::string, double> parameters;
  std::map<std::string, Dimension> parameter_dimensions;  // of those whose unit is known
  std::set<std::string> variable_parameters;              // which events may set
  std::vector<Material> materials;
  std::vector<MotionModel> motions;
  std::vector<ElementModel> signals;
  std::vector<EventModel> events;
  JointStates joint_states;
  std::vector<ContactModel> contacts;
  std::vector<SectionModel> sections;
  std::vector<BeamModel> beams;
  SolverSettings solver;
  OutputSettings output;
  // The parts as the file says them, which is what is written; null: as they stand above.
  std::shared_ptr<const ModelParts> said;
};

}  // namespace carom::inline model
