#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unit_database.h"
#include "base/version.h"
#include "commands.h"
#include "json_text.h"
#include "parts/plugins.h"
#include "step/read_step.h"
#include "studies/ranks.h"
#include "viewing/embedded_files.h"

// What is installed and works, and what to do about what does not.
namespace carom {
namespace {

struct Finding {
  std::string part;
  bool works = false;
  bool needed = false;  // without it nothing works
  std::string found, remedy;
};

Finding find_units() {
  try {
    const bool known = look_up_unit("mm").has_value();
    return {"units", known, true, known ? "the database of UDUNITS-2 is read" : "millimetres are not known",
            "install libudunits2-0"};
  } catch (const std::exception& error) {
    return {"units", false, true, error.what(), "install libudunits2-0, or set UDUNITS2_XML_PATH"};
  }
}

Finding find_temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  const bool works = !error && access(folder.c_str(), W_OK) == 0;
  return {"temporary files", works, true, works ? folder.string() : "no folder that can be written to",
          "set TMPDIR to a folder that you may write to"};
}

Finding find_viewer() {
  const bool built = !embedded_files().empty();
  return {"viewer", built, false,
          built ? "carom view shows results in a browser" : "built without the page of the viewer",
          "build with Node.js and npm, and -DCAROM_VIEWER=ON"};
}

Finding find_step() {
  const std::string fault = step_reader_fault();
  return {"STEP files", fault.empty(), false, fault.empty() ? "carom-step reads them" : fault,
          "install the Debian package carom-step, or build with libocct-data-exchange-dev; CAROM_STEP_READER names "
          "carom-step elsewhere"};
}

Finding find_mpi() {
  return {"MPI", has_mpi(), false, has_mpi() ? "studies run over several machines by mpirun" : "built without MPI",
          "build with libopenmpi-dev; studies use all cores of one machine without it"};
}

// What the Python of the command line says; in a process of its own.
Finding find_python() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen("python3 -c 'import carom; print(carom.version(), carom.__file__)' 2>&1 </dev/null", "r"), pclose);
  std::string last, line;
  for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
    } else if (!line.empty()) {
      last = std::exchange(line, {});
    }
  }
  const bool works = last.starts_with(carom_version);
  return {"Python", works, false, last.empty() ? "there is no python3" : last,
          "install python3-carom, or put the folder `python` of a build into PYTHONPATH"};
}

Finding find_plugins() {
  std::string names;
  for (const PartSource& source : part_sources()) names += (names.empty() ? "" : ", ") + source.origin;
  return {"plug-ins", true, false, names.empty() ? "none is loaded" : names, ""};
}

int examine(bool json) {
  const Finding findings[] = {find_units(), find_temporary_folder(), find_viewer(), find_step(),
                              find_mpi(),   find_python(),           find_plugins()};
  bool sound = true;
  auto all = nlohmann::ordered_json::array();
  if (!json) fmt::print("carom {}, {} cores\n", carom_version, std::thread::hardware_concurrency());
  for (const Finding& each : findings) {
    sound = sound && (each.works || !each.needed);
    all.push_back({{"part", each.part}, {"works", each.works}, {"found", each.found}});
    if (!each.works) all.back()["remedy"] = each.remedy;
    if (json) continue;
    fmt::print("  {:<16} {:<4} {}\n", each.part, each.works ? "yes" : "no", each.found);
    if (!each.works) fmt::print("  {:<21} to have it: {}\n", "", each.remedy);
  }
  if (json) fmt::print("{}\n", to_utf8({{"version", carom_version}, {"parts", all}}));
  return sound ? exit_done : exit_failed;
}

}  // namespace

void add_doctor_command(Command app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  Command command = app.add_subcommand(
      "doctor", "Report what is installed, which optional parts work, and what to do about those that do not");
  command.add_flag("--json", *json, "as JSON");
  command.footer("Exit code 1: something is missing without which nothing works.");
  command.callback([json, &exit_code] { exit_code = examine(*json); });
}

}  // namespace carom
