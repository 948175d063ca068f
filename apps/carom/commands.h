#pragma once

#include "command_line.h"

// One function per command: adds it to the command line. `exit_code` is set by the command that runs.
namespace carom {

enum ExitCode { exit_done = 0, exit_failed = 1, exit_input = 2 };

void add_run_command(Command app, int& exit_code);
void add_check_command(Command app, int& exit_code);
void add_import_command(Command app, int& exit_code);
void add_info_command(Command app, int& exit_code);
void add_export_command(Command app, int& exit_code);
void add_plot_command(Command app, int& exit_code);
void add_report_command(Command app, int& exit_code);
void add_study_command(Command app, int& exit_code);
void add_view_command(Command app, int& exit_code);
void add_forces_command(Command app, int& exit_code);
void add_motion_command(Command app, int& exit_code);
void add_life_command(Command app, int& exit_code);
void add_wear_command(Command app, int& exit_code);
void add_compare_command(Command app, int& exit_code);
void add_verify_command(Command app, int& exit_code);
void add_cases_command(Command app, int& exit_code);
void add_schema_command(Command app, int& exit_code);
void add_laws_command(Command app, int& exit_code);
void add_solvers_command(Command app, int& exit_code);
void add_contact_problem_command(Command app, int& exit_code);
void add_doctor_command(Command app, int& exit_code);
// Those that tell of all others: to be added last.
void add_completion_command(Command app, int& exit_code);
void add_manual_command(Command app, int& exit_code);

}  // namespace carom
