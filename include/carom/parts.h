#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

// Parts of your own: contact laws, friction laws, force elements and drives that a model file can name as it names the
// built-in ones. A part is described by a struct of this header and handed to carom::register_part (carom/registry.h),
// or to the Registry of a plug-in (carom/plugin.h). Everything here is plain values in SI and in this header alone: a
// plug-in needs no library.
//
// Objects of parts are made once per simulation and place where they act, and then only read: their functions are
// const, may be called from several threads for different simulations, should not allocate, and must return the same
// for the same arguments. An exception or a number that is not finite ends the run with the name of the part, unless a
// shorter step avoids it.
namespace carom::v1 {

using Vector3 = std::array<double, 3>;

enum class KeyKind {
  number,   // one quantity; its unit is converted to that of the key
  boolean,  // true or false; not given: false
  choice,   // one of `choices`; not given: the first
  text,     // not given: empty
  vector,   // 2 components in a planar model, 3 in a spatial one, in world axes; not given: zero
  function  // of the time: a quantity, an expression of t, a table or a drive; not given: zero
};

// A key that a part takes in the model file.
struct Key {
  std::string name;       // lower case, digits and _
  std::string unit = {};  // SI, such as "N s/m"; "" means dimensionless
  std::string meaning = {};
  KeyKind kind = KeyKind::number;
  bool required = false;
  std::optional<double> default_value = {};  // of a number; without it, one that is not given is zero
  std::string default_text = {};             // how the default reads; empty: made of default_value
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_allowed = true;  // false: the bound itself is excluded
  bool maximum_allowed = true;
  std::vector<std::string> choices = {};
};

// The keys of one part as the model gives them, with defaults filled in and ranges checked.
class KeyValues {
 public:
  using Function = std::function<double(double t)>;
  using Value = std::variant<double, bool, std::string, Vector3, Function>;

  double number(const std::string& key) const { return get<double>(key); }
  bool boolean(const std::string& key) const { return get<bool>(key); }
  std::string text(const std::string& key) const { return get<std::string>(key); }  // of texts and choices
  Vector3 vector(const std::string& key) const { return get<Vector3>(key); }
  Function function(const std::string& key) const { return get<Function>(key); }
  // Whether the model itself gives it.
  bool given(const std::string& key) const {
    const auto entry = entries_.find(key);
    return entry != entries_.end() && entry->second.given;
  }

  void set(const std::string& key, Value value, bool given) { entries_[key] = {std::move(value), given}; }

 private:
  struct Entry {
    Value value;
    bool given = false;
  };
  template <class T>
  T get(const std::string& key) const {
    const auto entry = entries_.find(key);
    const T* value = entry == entries_.end() ? nullptr : std::get_if<T>(&entry->second.value);
    return value ? *value : T{};
  }
  std::map<std::string, Entry> entries_;
};

// What all parts have.
struct Part {
  std::string name;            // as in the model file: lower case, digits, - and _
  std::string summary = {};    // one sentence
  std::string reference = {};  // literature
  std::vector<Key> keys = {};
};

// ---------------------------------------------------------------------------------------------- contact laws

// What a contact law sees of one contact.
struct NormalContact {
  double penetration = 0;   // δ, m, ≥ 0
  double rate = 0;          // δ̇, m/s, positive in compression
  double impact_speed = 0;  // v₀ > 0, m/s: δ̇ when the contact began
  double deepest = 0;       // m, largest penetration of this contact up to the last step
};

// Compression is positive. The elastic part is what is stored: d(energy)/dδ = elastic; the rest dissipates
// (force − elastic)·rate. A contact cannot pull: a negative force is taken as zero, unless the law is adhesive.
struct NormalForce {
  double force = 0;    // N
  double elastic = 0;  // N
  double energy = 0;   // J
};

class NormalLaw {
 public:
  virtual ~NormalLaw() = default;
  virtual NormalForce evaluate(const NormalContact& contact) const = 0;
  // Penetration, m, at which the contact ends when it is crossed downwards: 0, a permanent indentation, or where the
  // force vanishes at the present rate for laws that would pull afterwards.
  virtual double release_penetration(const NormalContact& /*contact*/) const { return 0; }
  // True when `deepest` matters.
  virtual bool remembers_depth() const { return false; }
  // True when neither `impact_speed` nor `deepest` matters and the force starts from zero.
  virtual bool is_memoryless() const { return false; }
  // True when the force may pull until the penetration is back at zero.
  virtual bool is_adhesive() const { return false; }
};

// The elastic force f_e(δ) of the contact, by the key `elastic`, `stiffness` and the materials.
struct ElasticValue {
  double force = 0, slope = 0, energy = 0;  // N, N/m, J
};

// What a contact law is made from.
struct NormalLawContext {
  KeyValues keys;
  double restitution = 1;
  double effective_mass = 0;                              // kg, m₁ m₂/(m₁ + m₂)
  double stiffness = 0, exponent = 1;                     // of f_e ≈ K δⁿ at small δ, N/mⁿ
  std::function<ElasticValue(double)> elastic = nullptr;  // f_e(δ), cheap to copy
};

// law = "NAME" of a [contact.NAME].
struct ContactLawPart : Part {
  std::string formula = {};
  std::string elastic = "hertz";  // elastic shape where the model names none
  bool uses_restitution = true;   // false: the loss is set by the law's own keys
  bool needs_mass = false;        // effective_mass is used
  double least_restitution = 0;   // below it the law is not defined
  bool least_allowed = true;      // whether the bound itself is
  // Restitution of a free impact where e is asked for; empty: not known.
  std::function<double(double restitution)> restitution_out = nullptr;
  std::function<std::unique_ptr<NormalLaw>(const NormalLawContext&)> make = nullptr;
};

// -------------------------------------------------------------------------------------------- friction laws

// Of friction with an internal state, per newton of normal force.
struct BristleForce {
  double force = 0;  // what opposes the slip
  double rate = 0;   // dz/dt, m/s
};

class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;
  // |F_T|/F_N at a slip speed ≥ 0, m/s, and a normal force, N; of a law with a state, in steady slip. Must rise from
  // zero at standstill, unless the law has a state.
  virtual double coefficient(double slip_speed, double normal_force) const = 0;
  // A state z, m, per contact point: the deflection of a bristle that carries the force while nothing slips.
  virtual bool has_state() const { return false; }
  virtual BristleForce bristle(double /*z*/, double /*velocity*/, double /*normal_force*/) const { return {}; }
  // Stored in it, J per newton of normal force.
  virtual double energy(double /*z*/) const { return 0; }
  // The constant coefficient by which the nonsmooth method, which knows Coulomb's law only, replaces this one.
  virtual double sliding_coefficient() const { return coefficient(1, 1); }
};

// law = "NAME" of a friction = { … }. A key named `coefficient` may be left out where the materials give it.
struct FrictionLawPart : Part {
  std::string formula = {};
  std::function<std::unique_ptr<FrictionLaw>(const KeyValues&)> make = nullptr;
};

// ------------------------------------------------------------------------------------------- force elements

// Where an element is attached to a body; world axes. In the plane z = 0 and rotations are about z.
struct End {
  Vector3 position = {};                                     // m, of the attachment point
  Vector3 velocity = {};                                     // m/s, of the attachment point
  std::array<double, 9> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // rotation of the body, row by row: body to world axes
  Vector3 angular_velocity = {};                             // rad/s
  double angle = 0;                                          // rad, planar models only, with full turns
};

struct ForceState {
  double time = 0;  // s
  bool planar = false;
  std::array<End, 2> ends = {};  // of an element on one body only the second: it acts from the ground
};

// Force, N, at the attachment point and torque, N m, on one body; world axes.
struct Load {
  Vector3 force = {}, torque = {};
};

// Loads on the two bodies in two parts, so that every run can balance its energy: what derives from a potential energy
// (springs), and the rest (dampers, drives), whose power is integrated. The energy depends on the positions alone.
struct ForceAction {
  std::array<Load, 2> conservative = {}, other = {};
  double energy = 0;  // J, of the conservative part
};

// A recorded number, such as {"tension", "N", "positive when the ends are drawn together"}.
struct OutputValue {
  std::string name, unit, meaning;
};

// −∂(load on row)/∂(motion of column) of one end by another, 6 × 6 row by row: force and torque by position and turn
// (rad about world axes) of the attachment point; by velocity and angular velocity.
struct ForceDerivatives {
  std::array<std::array<std::array<double, 36>, 2>, 2> stiffness = {}, damping = {};
};

class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual ForceAction evaluate(const ForceState& state) const = 0;
  // True when `other` is always zero: nothing to integrate.
  virtual bool is_conservative() const { return false; }
  // For implicit integrators; false: they are taken by differences.
  virtual bool derivatives(const ForceState& /*state*/, ForceDerivatives& /*result*/) const { return false; }
  // The numbers of ForcePart::outputs, in their order.
  virtual void output(const ForceState& /*state*/, std::span<double> /*values*/) const {}
};

// What a force element is made from: its keys and where the file puts it.
struct ForceContext {
  KeyValues keys;
  ForceState start;  // positions of the file; velocities are zero
};

enum class Attachment { two_bodies, one_body };

// type = "NAME" of a [[force]]. Keys that place it come with it: `bodies` with `ends` or `points`, or `markers`; of an
// element on one body `body` with `at` or `point`, or `marker`.
struct ForcePart : Part {
  Attachment attachment = Attachment::two_bodies;
  bool planar = true, spatial = true;  // models in which it may be used
  bool supplies = false;               // its power counts as supplied, else as dissipated
  std::vector<OutputValue> outputs = {};
  std::function<std::unique_ptr<ForceElement>(const ForceContext&)> make = nullptr;
};

// -------------------------------------------------------------------------------------------------- drives

// A function of the time with its first two derivatives.
struct DriveValue {
  double value = 0, rate = 0, acceleration = 0;
};

class Drive {
 public:
  virtual ~Drive() = default;
  virtual DriveValue evaluate(double t) const = 0;
  // Instants, increasing, where value, rate or acceleration may jump: steps end there.
  virtual std::vector<double> breakpoints() const { return {}; }
};

// position = { drive = "NAME", … }, and likewise wherever a function of the time may stand.
struct DrivePart : Part {
  std::string unit = "*";  // SI, of its value; "*": that of the key which it is given for
  std::function<std::unique_ptr<Drive>(const KeyValues&)> make = nullptr;
};

// ------------------------------------------------------------------------------------------------ registry

// Takes the parts of a plug-in. What is wrong with them is reported when all have been taken; then none is there.
class Registry {
 public:
  virtual void add(ContactLawPart part) = 0;
  virtual void add(FrictionLawPart part) = 0;
  virtual void add(ForcePart part) = 0;
  virtual void add(DrivePart part) = 0;

 protected:
  ~Registry() = default;
};

// Changes with every change of carom/parts.h that older plug-ins would not survive.
inline constexpr unsigned plugin_interface = 1;

// What a plug-in shows, under the name carom_plugin. The first two members stay as they are for all versions.
struct PluginEntry {
  unsigned interface = 0;
  const char* library = nullptr;  // the C++ library it was compiled with
  void (*register_parts)(Registry&) = nullptr;
};

#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* plugin_library = "libstdc++";
#elif defined(_GLIBCXX_USE_CXX11_ABI)
inline constexpr const char* plugin_library = "libstdc++ with strings from before C++11";
#elif defined(_LIBCPP_VERSION)
inline constexpr const char* plugin_library = "libc++";
#else
inline constexpr const char* plugin_library = "unknown";
#endif

}  // namespace carom::v1
