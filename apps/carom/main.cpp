#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/version.h"
#include "commands.h"
#include "plotting/figure.h"
#include "plugin_option.h"
#include "recording/result_types.h"

namespace {

int run_command_line(int argc, char** argv) {
  carom::CommandLine line("carom", "Carom: machines whose parts touch, knock, slide and roll",
                          std::string("carom ") + carom::carom_version);
  carom::Command app = line.commands();
  app.require_subcommand();
  app.footer(
      "A model file is described in docs/guide/model_file.md; `carom COMMAND --help` shows more of a command.\n"
      "Exit codes: 0 done, 1 the computation failed (what was computed is saved and named), 2 the input is wrong.");
  int exit_code = carom::exit_done;
  carom::add_run_command(app, exit_code);
  carom::add_check_command(app, exit_code);
  carom::add_info_command(app, exit_code);
  carom::add_export_command(app, exit_code);
  carom::add_plot_command(app, exit_code);
  carom::add_report_command(app, exit_code);
  carom::add_study_command(app, exit_code);
  carom::add_view_command(app, exit_code);
  carom::add_forces_command(app, exit_code);
  carom::add_motion_command(app, exit_code);
  carom::add_life_command(app, exit_code);
  carom::add_wear_command(app, exit_code);
  carom::add_compare_command(app, exit_code);
  carom::add_cases_command(app, exit_code);
  carom::add_schema_command(app, exit_code);
  carom::add_laws_command(app, exit_code);
  carom::add_solvers_command(app, exit_code);
  carom::add_contact_problem_command(app, exit_code);
  carom::add_plugin_option(app);
  line.run(argc, argv, exit_code);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of the write, not the end of the program
  try {
    return run_command_line(argc, argv);
  } catch (const carom::InputError& error) {
    fmt::print(stderr, "{}", error.problems().text());
    return carom::exit_input;
  } catch (const carom::ResultError& error) {
    fmt::print(stderr, "carom: {}\n", error.what());
    return carom::exit_input;
  } catch (const carom::FigureError& error) {
    fmt::print(stderr, "carom: {}\n", error.what());
    return carom::exit_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "carom: not enough memory\n");
  } catch (const carom::ComputationError& error) {
    fmt::print(stderr, "carom: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "carom: stopped by a fault of the program ({}); please report it with the model\n",
               error.what());
  }
  return carom::exit_failed;
}
