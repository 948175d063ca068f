#pragma once

#include <CLI/CLI.hpp>

// One function per command: adds it to the command line. `exit_code` is set by the command that runs.
namespace carom {

enum ExitCode { exit_done = 0, exit_failed = 1, exit_input = 2 };

void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_plot_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_study_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);
void add_forces_command(CLI::App& app, int& exit_code);
void add_motion_command(CLI::App& app, int& exit_code);
void add_life_command(CLI::App& app, int& exit_code);
void add_wear_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_cases_command(CLI::App& app, int& exit_code);
void add_schema_command(CLI::App& app, int& exit_code);
void add_laws_command(CLI::App& app, int& exit_code);
void add_solvers_command(CLI::App& app, int& exit_code);
void add_contact_problem_command(CLI::App& app, int& exit_code);

}  // namespace carom
