#include "model_io/write_model.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "force_elements/force_element.h"
#include "model_io/validation.h"

namespace carom {
namespace {

std::string text_value(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

template <class Range, class Write>
std::string list_value(const Range& range, Write write) {
  std::string result;
  for (const auto& each : range) result += (result.empty() ? "" : ", ") + write(each);
  return "[" + result + "]";
}

class Writer {
 public:
  Writer(const Model& model, ProblemList* problems) : model_(model), problems_(problems) {}

  std::string write() {
    write_head();
    for (const BodyModel& body : model_.bodies) write_body(body);
    write_ground();
    write_elements("joint", model_.joints);
    for (const MotionModel& motion : model_.motions) write_motion(motion);
    write_elements("force", model_.forces);
    for (const ContactModel& contact : model_.contacts) write_contact(contact);
    for (const PairModel& pair : model_.pairs) write_pair(pair);
    write_solver();
    return std::move(text_);
  }

 private:
  void heading(const std::string& title) {
    text_ += (text_.empty() ? "" : "\n") + title + "\n";
    section_ = title;
  }
  void line(const std::string& key, const std::string& value) { text_ += key + " = " + value + "\n"; }

  std::string vector_value(const Eigen::Vector3d& vector) const {
    return list_value(vector.head(model_.planar ? 2 : 3), number_text);
  }

  void orientation_line(double angle, const Eigen::Quaterniond& orientation) {
    if (model_.planar) {
      if (angle != 0) line("orientation", number_text(angle));
    } else if (!orientation.coeffs().isApprox(Eigen::Quaterniond::Identity().coeffs(), 0)) {
      line("orientation",
           list_value(std::array{orientation.w(), orientation.x(), orientation.y(), orientation.z()}, number_text));
    }
  }
  // Markers and shapes of planar models keep no angle; theirs needs no count of turns.
  static double angle_of(const Eigen::Quaterniond& orientation) {
    return 2 * std::atan2(orientation.z(), orientation.w());
  }

  void vector_line(const std::string& key, const Eigen::Vector3d& vector) {
    if (!vector.isZero(0)) line(key, vector_value(vector));
  }

  // The function as a value of the file; none if it has no such form.
  std::optional<std::string> function_value(const Function& function, const std::vector<std::string>& arguments) const {
    if (function.is_constant()) return number_text(function.value(0.0));
    const std::string description = function.description();
    const std::string expression = "expression `";
    if (description.starts_with(expression)) {
      const std::string formula = description.substr(expression.size(), description.size() - expression.size() - 1);
      const auto again = Expression::compile(formula, arguments, model_.parameters);
      return std::holds_alternative<Expression>(again) ? std::optional(text_value("=" + formula)) : std::nullopt;
    }
    const auto table = function.table_points();
    if (!table) return std::nullopt;
    std::vector<std::string> points;
    for (std::size_t k = 0; k < table->x.size(); ++k)
      points.push_back(fmt::format("[{}, {}]", number_text(table->x[k]), number_text(table->y[k])));
    return fmt::format("{{ table = {}, interpolation = \"{}\" }}",
                       list_value(points, [](const std::string& each) { return each; }),
                       table->interpolation == Interpolation::linear ? "linear" : "cubic");
  }

  void function_line(const std::string& key, const std::optional<std::string>& value, const std::string& description) {
    if (value) return line(key, *value);
    text_ += "# " + key + ": " + description + " cannot be written\n";
    if (!problems_) return;
    Problem problem;
    problem.file = model_.file;
    problem.key = section_ + " " + key;
    problem.found = description;
    problem.expected = "a function that can be written to a file";
    problems_->add(problem);
  }

  void setting_line(const std::string& key, const Value& value, const ParameterDescription* row) {
    const std::vector<std::string> arguments = row ? row->arguments : std::vector<std::string>{"t"};
    if (const auto* function = std::get_if<Function>(&value)) {
      return function_line(key, function_value(*function, arguments), function->description());
    }
    if (const auto* functions = std::get_if<std::vector<Function>>(&value)) {
      std::vector<std::string> components;
      for (const Function& each : *functions) {
        const auto component = function_value(each, arguments);
        if (!component) return function_line(key, component, each.description());
        components.push_back(*component);
      }
      return line(key, list_value(components, [](const std::string& each) { return each; }));
    }
    line(key, plain_value(value));
  }

  std::string plain_value(const Value& value) const {
    struct Visitor {
      const Writer& writer;
      std::string operator()(bool held) const { return held ? "true" : "false"; }
      std::string operator()(double held) const { return number_text(held); }
      std::string operator()(const std::string& held) const { return text_value(held); }
      std::string operator()(const std::vector<double>& held) const { return list_value(held, number_text); }
      std::string operator()(const std::vector<std::string>& held) const { return list_value(held, text_value); }
      std::string operator()(const std::vector<Eigen::Vector3d>& held) const {
        return list_value(held, [&](const Eigen::Vector3d& each) { return writer.vector_value(each); });
      }
      std::string operator()(const Function&) const { return {}; }
      std::string operator()(const std::vector<Function>&) const { return {}; }
    };
    return std::visit(Visitor{*this}, value);
  }

  void write_head() {
    heading("[model]");
    if (!model_.name.empty()) line("name", text_value(model_.name));
    if (model_.planar) line("plane", "\"xy\"");
    vector_line("gravity", model_.gravity);
    if (!model_.parameters.empty()) heading("[parameters]");
    for (const auto& [name, value] : model_.parameters) line(name, number_text(value));
    for (const Material& material : model_.materials) {
      heading("[material." + text_value(material.name) + "]");
      if (material.density != 0) line("density", number_text(material.density));
      if (material.young != 0) line("young", number_text(material.young));
      if (material.poisson != 0) line("poisson", number_text(material.poisson));
      if (material.restitution >= 0) line("restitution", number_text(material.restitution));
      if (material.friction >= 0) line("friction", number_text(material.friction));
      if (material.hardness != 0) line("hardness", number_text(material.hardness));
      if (material.wear_coefficient >= 0) line("wear_coefficient", number_text(material.wear_coefficient));
    }
  }

  void write_body(const BodyModel& body) {
    heading("[[body]]");
    line("name", text_value(body.name));
    line("mass", number_text(body.mass));
    const Eigen::Matrix3d& inertia = body.inertia;
    const Eigen::Vector3d diagonal = inertia.diagonal(), mixed(inertia(0, 1), inertia(0, 2), inertia(1, 2));
    if (model_.planar) {
      line("inertia", number_text(inertia(2, 2)));
    } else if (mixed.isZero(0)) {
      line("inertia", list_value(diagonal, number_text));
    } else {
      Eigen::Matrix<double, 6, 1> six;
      six << diagonal, mixed;
      line("inertia", list_value(six, number_text));
    }
    vector_line("center_of_mass", body.center_of_mass);
    vector_line("position", body.position);
    orientation_line(body.angle, body.orientation);
    if (body.velocity_given) line("velocity", vector_value(body.velocity));
    if (body.angular_velocity_given) {
      line("angular_velocity",
           model_.planar ? number_text(body.angular_velocity.z()) : vector_value(body.angular_velocity));
    }
    write_markers_and_geometry("body", body);
  }

  void write_ground() {
    if (model_.ground.markers.empty() && model_.ground.geometry.empty()) return;
    heading("[ground]");
    write_markers_and_geometry("ground", model_.ground);
  }

  void write_markers_and_geometry(const std::string& owner, const BodyModel& body) {
    for (const Marker& marker : body.markers) {
      heading("[[" + owner + ".marker]]");
      line("name", text_value(marker.name));
      vector_line("position", marker.position);
      orientation_line(angle_of(marker.orientation), marker.orientation);
    }
    for (const Geometry& geometry : body.geometry) {
      heading("[[" + owner + ".geometry]]");
      line("shape", text_value(geometry.shape));
      if (!geometry.name.empty()) line("name", text_value(geometry.name));
      if (!geometry.material.empty()) line("material", text_value(geometry.material));
      vector_line("position", geometry.position);
      orientation_line(angle_of(geometry.orientation), geometry.orientation);
      for (const std::string& key : geometry.settings.keys()) setting_line(key, *geometry.settings.find(key), nullptr);
    }
  }

  void write_elements(const std::string& name, const std::vector<ElementModel>& elements) {
    for (const ElementModel& element : elements) {
      heading("[[" + name + "]]");
      line("name", text_value(element.name));
      line("type", text_value(element.type));
      const TypeDescription* type = find_joint(element.type);
      if (name == "force") type = find_force_element(element.type);
      for (const std::string& key : element.settings.keys()) {
        setting_line(key, *element.settings.find(key), type ? find_row(type->parameters, key) : nullptr);
      }
      if (element.clearance) write_clearance(*element.clearance);
    }
  }

  void write_clearance(const ClearanceModel& clearance) {
    heading("[joint.clearance]");
    line("radial", number_text(clearance.radial));
    line("bearing_radius", number_text(clearance.bearing_radius));
    if (clearance.bearing_height != 0) line("bearing_height", number_text(clearance.bearing_height));
    if (clearance.length != 0) line("length", number_text(clearance.length));
    if (clearance.bearing_second) line("bearing", "\"second\"");
    names_line("materials", clearance.materials);
    if (!clearance.contact.empty()) line("contact", text_value(clearance.contact));
  }

  void names_line(const std::string& key, const std::array<std::string, 2>& names) {
    if (!names[0].empty() || !names[1].empty()) line(key, list_value(names, text_value));
  }

  void write_contact(const ContactModel& contact) {
    heading("[contact." + text_value(contact.name) + "]");
    line("law", text_value(contact.law));
    if (!contact.elastic.empty()) line("elastic", text_value(contact.elastic));
    if (contact.restitution >= 0) line("restitution", number_text(contact.restitution));
    for (const std::string& key : contact.settings.keys()) line(key, plain_value(*contact.settings.find(key)));
    if (!contact.friction.empty()) {
      std::string table = "{ law = " + text_value(contact.friction);
      for (const std::string& key : contact.friction_settings.keys()) {
        table += ", " + key + " = " + plain_value(*contact.friction_settings.find(key));
      }
      line("friction", table + " }");
    }
    if (contact.rolling_resistance != 0) line("rolling_resistance", number_text(contact.rolling_resistance));
    if (contact.spinning_resistance != 0) line("spinning_resistance", number_text(contact.spinning_resistance));
    if (contact.coupled_spinning) line("coupled_spinning", "true");
    if (contact.tangential_restitution != 0)
      line("tangential_restitution", number_text(contact.tangential_restitution));
    if (contact.restitution_law != "newton") line("restitution_law", text_value(contact.restitution_law));
    if (contact.minimum_speed != 0) line("minimum_speed", number_text(contact.minimum_speed));
    line("slow_contact", text_value(contact.slow_contact));
  }

  void write_pair(const PairModel& pair) {
    heading("[[pair]]");
    line("name", text_value(pair.name));
    line("bodies", list_value(pair.bodies, text_value));
    names_line("shapes", pair.shapes);
    names_line("materials", pair.materials);
    if (!pair.contact.empty()) line("contact", text_value(pair.contact));
    if (pair.allow_initial_penetration) line("allow_initial_penetration", "true");
  }

  void write_motion(const MotionModel& motion) {
    heading("[[motion]]");
    line("name", text_value(motion.name));
    if (!motion.joint.empty()) line("joint", text_value(motion.joint));
    if (!motion.body.empty()) line("body", text_value(motion.body));
    if (!motion.component.empty()) line("component", text_value(motion.component));
    for (const auto& [key, level] : motion_levels) {
      if (motion.level == level) function_line(key, function_value(motion.value, {"t"}), motion.value.description());
    }
  }

  void write_solver() {
    const SolverSettings& solver = model_.solver;
    heading("[solver]");
    line("analysis", text_value(solver.analysis));
    line("method", text_value(solver.method));
    line("start", number_text(solver.start));
    line("end", number_text(solver.end));
    line("integrator", text_value(solver.integrator));
    line("tolerance", number_text(solver.tolerance));
    if (solver.step != 0) line("step", number_text(solver.step));
    if (solver.first_step != 0) line("first_step", number_text(solver.first_step));
    if (solver.max_step != 0) line("max_step", number_text(solver.max_step));
    line("rho_infinity", number_text(solver.rho_infinity));
    line("constraints", text_value(solver.constraints));
    line("baumgarte", fmt::format("{{ alpha = {}, beta = {} }}", number_text(solver.baumgarte_alpha),
                                  number_text(solver.baumgarte_beta)));
    line("penetration_control", text_value(solver.penetration_control));
    line("penetration_tolerance", number_text(solver.penetration_tolerance));
    if (solver.smallest_step != 0) line("smallest_step", number_text(solver.smallest_step));
    line("scheme", text_value(solver.scheme));
    line("impacts", text_value(solver.impacts));
    line("contact_solver", text_value(solver.contact_solver));
    line("contact_tolerance", number_text(solver.contact_tolerance));
    heading("[output]");
    if (model_.output.every != 0) line("every", number_text(model_.output.every));
    line("record", list_value(model_.output.record, text_value));
  }

  const Model& model_;
  ProblemList* problems_;
  std::string text_, section_;
};

}  // namespace

std::string write_model(const Model& model, ProblemList* problems) {
  return Writer(model, problems).write();
}

}  // namespace carom
