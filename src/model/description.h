#pragma once

#include <limits>
#include <string>
#include <vector>

namespace carom::inline model {

// What kind of value a key of the model file holds.
enum class ParameterKind {
  number,     // one quantity
  integer,    // a whole number
  boolean,    // true or false
  text,       // free text
  file,       // name of a file, from the folder of the model; read with it
  choice,     // one of `choices`
  vector,     // 2 components in a planar model, 3 in a spatial one
  counts,     // whole numbers, one a direction: 2 in a planar model, 3 in a spatial one
  numbers,    // a list of quantities of any length
  points,     // a list of vectors
  function,   // a scalar function of `arguments`
  functions,  // one such function per component
  body,       // name of a body or "ground"
  bodies,     // two of them
  joint,      // name of a joint, or joint.coordinate
  joints,     // several of them
  marker,     // body.marker
  markers,    // two of them
  texts,      // a list of texts
  material,   // name of a material
  materials,  // two of them, one per body
  shapes,     // names of two shapes, one per body
  contact,    // name of a contact
  // Kinds that depend on the plane:
  orientation,       // planar: an angle; spatial: a quaternion w, x, y, z, or an axis with an angle
  angular_velocity,  // planar: one number; spatial: a vector
  inertia            // planar: one number; spatial: three or six
};

// One row of a parameter table. The tables drive the reader, the validator, the schema and the reference pages.
struct ParameterDescription {
  std::string name;
  ParameterKind kind = ParameterKind::number;
  std::string unit = {};  // SI; "" means dimensionless. Functions: unit of the value
  std::string meaning = {};
  bool required = false;
  std::string default_text = {};  // how the default reads in the documentation
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_allowed = true;  // false: the bound itself is excluded
  bool maximum_allowed = true;
  std::vector<std::string> choices = {};
  std::vector<std::string> arguments = {};       // of a function, e.g. {"t"} or {"x", "v"}
  std::vector<std::string> argument_units = {};  // SI, one each; left out: s for t, any for others
  bool extendable = false;                       // `choices` are names of a catalogue, to which users add
  bool unit_depends = false;                     // on other keys: plain numbers are SI, expressions may have any unit
};

// The row of this name, or null; the names of all.
const ParameterDescription* find_row(const std::vector<ParameterDescription>& rows, const std::string& name);
std::vector<std::string> row_names(const std::vector<ParameterDescription>& rows);

// A number that an element reports for recording.
struct OutputDescription {
  std::string name, unit, meaning;
};

// A named entry of a catalogue: what a type is called, what it does, where it comes from, which keys it takes.
struct TypeDescription {
  std::string name;
  std::string summary;
  std::string reference;
  bool planar = true;   // may be used in planar models
  bool spatial = true;  // may be used in spatial models
  std::vector<ParameterDescription> parameters = {};
  std::string origin = {};  // of a part made by a user: the plug-in, or "the program"; empty: built in
};

}  // namespace carom::inline model
