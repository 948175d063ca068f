#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyses/assembly.h"
#include "check_report.h"
#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "simulation/rings_apart.h"
#include "simulation/simulation.h"
#include "terminal.h"

namespace carom {
namespace {

struct CheckArguments {
  std::string model;
  std::vector<std::string> set;
  bool json = false;
};

void print_json(const Model& model, const System& system, const AssemblyReport& report,
                const std::vector<std::string>& unheld) {
  nlohmann::ordered_json json = {{"name", model.name},
                                 {"planar", model.planar},
                                 {"bodies", model.bodies.size()},
                                 {"joints", model.joints.size()},
                                 {"drives", model.motions.size()},
                                 {"force_elements", model.forces.size()},
                                 {"freedoms", system.velocity_size()},
                                 {"constraint_rows", system.active_constraints()},
                                 {"degrees_of_freedom", report.degrees_of_freedom},
                                 {"assembled", report.assembled},
                                 {"residual", report.residual},
                                 {"velocity_residual", report.velocity_residual},
                                 {"warning", report.warning},
                                 {"loads_without_hold", unheld}};
  json["contact_pairs"] = model.pairs.size();
  json["clearances"] = nlohmann::json::array();
  for (const ElementModel& joint : model.joints) {
    if (joint.clearance) json["clearances"].push_back({{"joint", joint.name}, {"radial", joint.clearance->radial}});
  }
  json["masses_from_shapes"] = nlohmann::json::array();
  for (const BodyModel& body : model.bodies) {
    if (!is_from_shapes(body)) continue;
    const Eigen::Vector3d& centre = body.center_of_mass;
    const Eigen::Matrix3d& i = body.inertia;
    json["masses_from_shapes"].push_back({{"body", body.name},
                                          {"mass", body.mass},
                                          {"center_of_mass", {centre.x(), centre.y(), centre.z()}},
                                          {"inertia", {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}}});
  }
  json["redundant"] = nlohmann::json::array();
  for (const RedundantRow& row : report.redundant)
    json["redundant"].push_back({{"joint", row.joint}, {"row", row.what}});
  fmt::print("{}\n", to_utf8(json));
}

// What a run refuses before its first step: bodies that lie in each other, an integrator that cannot do what is asked.
void refuse_as_run(const Model& model) {
  if (model.solver.analysis == Analysis::dynamic) Simulation simulation(model, {});
}

int check_model(const CheckArguments& arguments) {
  const Model model = load_model(arguments.model, arguments.set);
  const auto system = System::create(model);
  State state = system->initial_state();
  const AssemblyReport report = assemble(*system, model, state);
  const std::vector<std::string> unheld =
      report.assembled ? loads_without_hold(model, state) : std::vector<std::string>();
  if (arguments.json) {
    print_json(model, *system, report, unheld);
  } else {
    fmt::print("{}", check_report(model, *system, report));
    for (const std::string& warning : unheld) print_problems(fmt::format("{}: warning: {}\n", model.file, warning));
  }
  if (report.assembled) {
    refuse_as_run(model);
    return exit_done;
  }
  print_problems(fmt::format("{}: error: {}\n", model.file, unassemblable_message(report)));
  return exit_input;
}

}  // namespace

void add_check_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  Command command = app.add_subcommand(
      "check", "Read and validate a model; print degrees of freedom, constraints, redundancy and contacts");
  command.add_option("MODEL", arguments->model, "model file (TOML)").required();
  command.add_option("--set", arguments->set, "replace a parameter: NAME=VALUE (repeatable)");
  command.add_flag("--json", arguments->json, "as JSON");
  command.callback([arguments, &exit_code] { exit_code = check_model(*arguments); });
}

}  // namespace carom
