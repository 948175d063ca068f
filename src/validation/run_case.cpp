#include "validation/run_case.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <set>

#include "documents/document.h"
#include "durability/contact_wear.h"
#include "force_recovery/contact_surfaces.h"
#include "force_recovery/recover_forces.h"
#include "model_io/read_model.h"
#include "recording/result_reader.h"

namespace carom::inline validation {
namespace {

// Of the integrator in the whole run, as if it were a quantity of the result.
constexpr const char* steps_quantity = "statistics.steps";

using EpisodesByContact = std::map<std::string, std::vector<Episode>>;

// Under its own name, and under those of its shapes and its group.
void add_episode(const std::string& contact, const Episode& episode, EpisodesByContact& episodes) {
  for (const std::string& name : std::set{contact, without_point(contact), contact_group(contact)})
    episodes[name].push_back(episode);
}

// Those that a run has written down, by contact and in the order in which they begin. Each group of contacts of the
// model is there, also if nothing touched.
EpisodesByContact read_episodes(const ResultReader& reader, const Model& model) {
  const double end = model.solver.end;
  EpisodesByContact episodes;
  for (const std::string& group : contact_groups(model)) episodes[group];
  const std::vector<EventRecord> events = reader.events();
  for (const EventRecord& event : events) {
    if (event.kind != "contact") continue;
    const std::vector<double>& v = event.values;
    const Episode episode = {.begin = v.at(0),
                             .end = event.time,
                             .over = event.time < end,
                             .impact_speed = v.at(1),
                             .separation_speed = v.at(2),
                             .begin_penetration = v.at(3),
                             .largest_penetration = v.at(4),
                             .peak_force = v.at(5),
                             .dissipated = v.at(6)};
    add_episode(event.subject, episode, episodes);
  }
  // Impacts by impulses have their force behind them.
  const auto& kinds = reader.header().event_kinds;
  if (std::any_of(kinds.begin(), kinds.end(), [](const EventKind& kind) { return kind.name == "impact"; })) {
    for (const RecoveredImpact& one : recover_forces(reader, model, {})) {
      const double speed = one.impact.speed, after = one.pulse.restitution * speed;
      const Episode episode = {.begin = one.time,
                               .end = one.time + one.pulse.duration,
                               .impact_speed = speed,
                               .separation_speed = after,
                               .largest_penetration = one.pulse.max_penetration,
                               .peak_force = one.pulse.peak_force,
                               .dissipated = one.dissipated};
      add_episode(one.contact, episode, episodes);
    }
  }
  for (auto& [contact, list] : episodes) {
    std::stable_sort(list.begin(), list.end(), [](const Episode& a, const Episode& b) { return a.begin < b.begin; });
  }
  return episodes;
}

Evidence::Wear read_wear(const Check& check, const ResultReader& reader, const Model& model) {
  Evidence::Wear wear;
  try {
    const auto all = contact_wear(reader, model, {.contacts = {check.contact}, .from = check.begin});
    if (all.empty()) return {.missing = "the model has no " + check.contact};
    wear.volumes = all.front().volumes;
    wear.missing = all.front().missing;
    wear.growth = all.front().joint ? all.front().joint->mean_growth() : not_given;
  } catch (const ResultError& error) {
    wear.missing = error.what();
  }
  return wear;
}

Evidence read_evidence(const Case& the_case, const CaseRun& run, const ResultReader& reader, const Model& model) {
  Evidence evidence;
  evidence.time = reader.times();
  const std::vector<std::string> present = reader.quantities();
  for (const Check& check : the_case.checks) {
    if (!check.holds_for(run.variant)) continue;
    if (check.kind == CheckKind::wear) evidence.wear[check.name] = read_wear(check, reader, model);
    for (const std::string& quantity : check.quantities) {
      if (quantity == steps_quantity)
        evidence.columns[quantity].assign(evidence.time.size(), static_cast<double>(run.summary.statistics.steps));
      if (std::find(present.begin(), present.end(), quantity) == present.end()) continue;
      if (!evidence.columns.contains(quantity)) evidence.columns[quantity] = reader.column(quantity);
    }
  }
  evidence.largest_residual = run.summary.energy.largest_residual;
  evidence.largest_energy = run.summary.energy.largest;
  evidence.position_drift = run.summary.drift.position;
  evidence.largest_penetration =
      run.summary.nonsmooth ? run.summary.nonsmooth->largest_penetration : run.summary.contacts.largest_penetration;
  if (const auto& counts = run.summary.nonsmooth)
    evidence.most_iterations = {static_cast<double>(counts->smooth.most), static_cast<double>(counts->position.most),
                                static_cast<double>(counts->velocity.most)};
  evidence.episodes = run.episodes;
  for (const ModeSummary& mode : run.summary.modes) evidence.modes.push_back({mode.frequency, mode.damping_ratio});
  return evidence;
}

Model read_variant(const Case& the_case, const Variant& variant) {
  const std::string file = (the_case.folder / "model.toml").string();
  std::string text;
  Problem problem{.file = file};
  ProblemList problems;
  if (!load_text(file, text, problem)) problems.add(problem);
  if (problems.errors() == 0) text = vary_model(text, file, variant.changes, problems);
  Model model;
  if (problems.errors() == 0) model = read_model_text(text, file, problems, {}, the_case.folder);
  if (problems.errors() > 0) throw InputError(problems);
  return model;
}

// A name that every file system takes.
std::string file_name(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
  }
  return name + ".h5";
}

std::filesystem::path file_of(const Case& the_case, const Variant& variant, const std::filesystem::path& folder) {
  if (the_case.variants.empty()) return folder / (the_case.name + ".h5");
  std::filesystem::create_directories(folder / the_case.name);
  return folder / the_case.name / file_name(variant.name);
}

// Why a run did not do what its variant says of its end; empty if it did.
std::string unexpected_end(const RunSummary& summary, const Variant& variant) {
  if (variant.fails.empty()) return summary.status == RunStatus::complete ? "" : summary.reason;
  if (summary.status == RunStatus::complete)
    return "the run came to its end; expected it to fail with: " + variant.fails;
  if (summary.reason.find(variant.fails) == std::string::npos)
    return "expected it to fail with: " + variant.fails + "; it failed with: " + summary.reason;
  return "";
}

// False if the run did not come to its end, or did where it must not.
bool run_variant(const Case& the_case, const Variant& variant, const Model& model, const std::filesystem::path& folder,
                 CaseResult& result, std::vector<std::vector<Finding>>& by_check) {
  CaseRun& one = result.runs.emplace_back();
  one.variant = variant.name;
  one.result_file = file_of(the_case, variant, folder);
  one.summary = run(model, {.output = one.result_file, .progress = {}});
  result.failure = unexpected_end(one.summary, variant);
  if (!result.failure.empty()) return false;
  const ResultReader reader(one.result_file);
  one.episodes = read_episodes(reader, model);
  const Evidence evidence = read_evidence(the_case, one, reader, model);
  for (std::size_t k = 0; k < the_case.checks.size(); ++k) {
    if (!the_case.checks[k].holds_for(variant.name)) continue;
    const auto found = evaluate(the_case.checks[k], the_case.reference_of(variant.name), evidence, variant.name);
    by_check[k].insert(by_check[k].end(), found.begin(), found.end());
  }
  return true;
}

// A finding of `rises` is judged when all variants are there.
bool any_failed(const Case& the_case, const std::vector<std::vector<Finding>>& by_check) {
  for (std::size_t k = 0; k < by_check.size(); ++k) {
    if (the_case.checks[k].kind == CheckKind::rises) continue;
    for (const Finding& finding : by_check[k]) {
      if (!finding.passed) return true;
    }
  }
  return false;
}

// `at_work` names the variant that is run.
void run_and_check(const Case& the_case, const std::filesystem::path& folder, bool first_failure, CaseResult& result,
                   std::string& at_work) {
  const std::vector<Variant> as_it_is = {{}};
  std::vector<std::vector<Finding>> by_check(the_case.checks.size());
  for (const Variant& variant : the_case.variants.empty() ? as_it_is : the_case.variants) {
    at_work = variant.name;
    const Model model = read_variant(the_case, variant);
    if (!run_variant(the_case, variant, model, folder, result, by_check)) return;
    if (first_failure && any_failed(the_case, by_check)) break;
  }
  for (std::size_t k = 0; k < by_check.size(); ++k) {
    if (the_case.checks[k].kind == CheckKind::rises) judge_rises(by_check[k]);
  }
  for (const auto& findings : by_check) result.findings.insert(result.findings.end(), findings.begin(), findings.end());
  if (the_case.convergences.empty() || (first_failure && !result.passed())) return;
  const Model model = read_variant(the_case, {});
  for (const Convergence& convergence : the_case.convergences) {
    measure_convergence(the_case, model, convergence, folder, result);
  }
}

}  // namespace

bool CaseResult::passed() const {
  return failure.empty() && !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.passed; });
}

CaseResult run_case(const Case& the_case, const std::filesystem::path& folder, bool first_failure) {
  CaseResult result;
  result.the_case = the_case;
  const auto begin = std::chrono::steady_clock::now();
  std::string at_work;
  try {
    run_and_check(the_case, folder, first_failure, result, at_work);
  } catch (const InputError& error) {
    result.failure = error.problems().text();
    while (!result.failure.empty() && result.failure.back() == '\n') result.failure.pop_back();
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  if (!result.failure.empty() && !at_work.empty()) result.failure = at_work + ": " + result.failure;
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace carom::inline validation
