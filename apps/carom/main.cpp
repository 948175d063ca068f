#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "base/announce.h"
#include "base/problem.h"
#include "base/version.h"
#include "commands.h"
#include "force_option.h"
#include "plotting/figure.h"
#include "plugin_option.h"
#include "recording/result_types.h"
#include "terminal.h"

namespace {

int run_command_line(int argc, char** argv) {
  carom::CommandLine line("carom", "Carom: machines whose parts touch, knock, slide and roll",
                          std::string("carom ") + carom::carom_version);
  carom::Command app = line.commands();
  app.require_subcommand();
  app.footer(
      "A model file is described in docs/guide/model_file.md; `carom help COMMAND` shows more of a command.\n"
      "Exit codes: 0 done, 1 the computation failed (what was computed is saved and named), 2 the input is wrong.");
  int exit_code = carom::exit_done;
  carom::add_run_command(app, exit_code);
  carom::add_check_command(app, exit_code);
  carom::add_import_command(app, exit_code);
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
  carom::add_verify_command(app, exit_code);
  carom::add_cases_command(app, exit_code);
  carom::add_schema_command(app, exit_code);
  carom::add_laws_command(app, exit_code);
  carom::add_solvers_command(app, exit_code);
  carom::add_contact_problem_command(app, exit_code);
  carom::add_doctor_command(app, exit_code);
  carom::add_completion_command(app, exit_code);
  carom::add_manual_command(app, exit_code);
  app.add_subcommand("help", "Show this list, or the options of a command: carom help COMMAND");
  carom::add_plugin_option(app);
  carom::add_force_option(app);
  carom::add_color_option(app);
  line.run(argc, argv, exit_code);
  return exit_code;
}

// What was said must have been heard: a full disk behind `>` is an error like any other.
bool output_failed() {
  return std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
}

int report_failed_output() {
  carom::print_error(fmt::format("cannot write to standard output: {}; what was printed is not complete",
                                 std::strerror(errno != 0 ? errno : EIO)));
  return carom::exit_failed;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of the write, not the end of the program
  if (isatty(STDERR_FILENO) == 1)
    carom::listener_to_announcements() = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
  try {
    const int exit_code = run_command_line(argc, argv);
    return output_failed() ? report_failed_output() : exit_code;
  } catch (const carom::InputError& error) {
    carom::print_problems(error.problems().text());
    return carom::exit_input;
  } catch (const carom::WriteFailed& error) {
    carom::print_error(error.what());
    return carom::exit_failed;
  } catch (const carom::ResultError& error) {
    carom::print_error(error.what());
    return carom::exit_input;
  } catch (const carom::FigureError& error) {
    carom::print_error(error.what());
    return carom::exit_input;
  } catch (const std::bad_alloc&) {
    carom::print_error("not enough memory");
  } catch (const carom::ComputationError& error) {
    carom::print_error(error.what());
  } catch (const std::exception& error) {
    if (output_failed()) return report_failed_output();
    carom::print_error(
        fmt::format("stopped by a fault of the program ({}); please report it with the model", error.what()));
  }
  return carom::exit_failed;
}
