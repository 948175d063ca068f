#include "viewing/parameters.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "documents/check_value.h"
#include "documents/document.h"
#include "model_io/read_model.h"

namespace carom::inline viewing {
namespace {

using Json = nlohmann::ordered_json;

// A parameter where it stands in a file.
struct Written {
  std::string name, text, remark;
};

std::string text_of(const Node& node) {
  if (const auto* text = node.as<std::string>()) return *text;
  if (const auto* whole = node.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = node.as<double>()) return number_text(*number);
  return found_text(node);
}

// A line of a text, counted from 1; empty: there is none.
std::string line_of(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int k = 1; k < line; ++k) {
    const auto end = text.find('\n', begin);
    if (end == std::string::npos) return {};
    begin = end + 1;
  }
  return line < 1 ? std::string() : text.substr(begin, text.find('\n', begin) - begin);
}

// What follows a # in the line, outside of quotes.
std::string remark_in(const std::string& line) {
  char quote = 0;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (quote != 0) {
      if (line[k] == quote) quote = 0;
    } else if (line[k] == '"' || line[k] == '\'') {
      quote = line[k];
    } else if (line[k] == '#') {
      const auto first = line.find_first_not_of("# \t", k);
      return first == std::string::npos ? std::string()
                                        : line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    }
  }
  return {};
}

// In the order of the files; a later file replaces what an earlier one says.
std::vector<Written> written_parameters(const Documents& documents) {
  std::vector<Written> list;
  for (const Document& document : documents.all) {
    const Node* table = document.root.find("parameters");
    const auto* entries = table ? table->as<Node::Table>() : nullptr;
    if (!entries) continue;
    const bool outermost = &document == &documents.all.back();
    for (const Entry& entry : *entries) {
      const Node* const variable = entry.value.as<Node::Table>() ? entry.value.find("value") : nullptr;
      Written written{entry.key, text_of(variable ? *variable : entry.value), {}};
      if (outermost) written.remark = remark_in(line_of(documents.text, entry.value.where.line));
      const auto known = std::find_if(list.begin(), list.end(), [&](const Written& w) { return w.name == entry.key; });
      if (known == list.end()) {
        list.push_back(std::move(written));
      } else {
        *known = std::move(written);
      }
    }
  }
  return list;
}

Json describe(const Model& model, const Written& written, const std::string& base, const std::string& text) {
  const auto value = model.parameters.find(written.name);
  const auto dimension = model.parameter_dimensions.find(written.name);
  return {
      {"name", written.name},
      {"base", base},
      {"text", text},
      {"value", value == model.parameters.end() ? Json() : Json(value->second)},
      {"unit", dimension == model.parameter_dimensions.end() || dimension->second.is_one() ? std::string()
                                                                                           : dimension->second.text()},
      {"remark", written.remark}};
}

std::vector<std::pair<std::string, std::string>> as_pairs(const Assignments& assignments) {
  return {assignments.begin(), assignments.end()};
}

bool names_it(const std::string& text, const std::string& name) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !inside(text[at - 1])) && (end == text.size() || !inside(text[end]))) return true;
  }
  return false;
}

}  // namespace

Assignments merged(const Assignments& base, const Assignments& chosen) {
  Assignments all = chosen;
  all.insert(base.begin(), base.end());
  return all;
}

Json describe_parameters(const RunnableModel& model, const Assignments& chosen) {
  ProblemList problems;
  const Documents documents = read_documents(model.file, problems);
  if (problems.errors() > 0) throw InputError(problems);
  ProblemList ignored;  // the run reports them
  const Model read = read_model(documents, ignored, {.set = as_pairs(merged(model.set, chosen))});
  Json list = Json::array();
  for (const Written& written : written_parameters(documents)) {
    const auto text_in = [&](const Assignments& assignments, const std::string& otherwise) {
      const auto found = assignments.find(written.name);
      return found == assignments.end() ? otherwise : found->second;
    };
    const std::string base = text_in(model.set, written.text);
    list.push_back(describe(read, written, base, text_in(chosen, base)));
  }
  return list;
}

Json describe_parameters(const Viewed& viewed) {
  ProblemList problems;
  const Documents documents = read_documents(viewed.model_text, viewed.model.file, {}, problems);
  ProblemList ignored;
  const Model as_written = read_model_text(viewed.model_text, viewed.model.file, ignored);
  Json list = Json::array();
  std::vector<Written> all = written_parameters(documents);
  for (const auto& parameter : viewed.model.parameters) {  // also those of files that it includes
    const std::string& name = parameter.first;
    if (std::none_of(all.begin(), all.end(), [&](const Written& written) { return written.name == name; }))
      all.push_back({name, {}, {}});
  }
  for (const Written& written : all) {
    const auto value = viewed.model.parameters.find(written.name);
    if (value == viewed.model.parameters.end()) continue;
    const auto said = as_written.parameters.find(written.name);
    const bool as_said = !written.text.empty() && said != as_written.parameters.end() && said->second == value->second;
    Json entry = describe(viewed.model, written, {}, {});
    const std::string unit = entry["unit"];
    const std::string text = as_said ? written.text : number_text(value->second) + (unit.empty() ? "" : " " + unit);
    entry["base"] = entry["text"] = text;
    list.push_back(std::move(entry));
  }
  return list;
}

std::map<std::string, std::string> complaints_about(const RunnableModel& model, const Assignments& chosen) {
  ProblemList problems;
  const Documents documents = read_documents(model.file, problems);
  if (problems.errors() == 0) read_model(documents, problems, {.set = as_pairs(merged(model.set, chosen))});
  std::map<std::string, std::string> complaints;
  for (const Problem& problem : problems.all()) {
    if (problem.severity != Severity::error) continue;
    // Either the value itself is wrong, or what stands in the place that the problem names uses it.
    const std::string place = problem.file == model.file ? line_of(documents.text, problem.where.line) : "";
    const auto find = [&](const auto& holds) {
      const auto found =
          std::find_if(chosen.begin(), chosen.end(), [&](const auto& each) { return holds(each.first); });
      return found == chosen.end() ? std::string() : found->first;
    };
    const std::string direct = find([&](const std::string& name) { return problem.file == "--set " + name; });
    const std::string used =
        find([&](const std::string& name) { return names_it(problem.found, name) || names_it(place, name); });
    // Beside its field, a value needs neither file nor key.
    const std::string sentence = direct.empty() ? to_text(problem)
                                                : "found " + problem.found + "; expected " + problem.expected +
                                                      (problem.remedy.empty() ? "" : "; " + problem.remedy);
    std::string& text = complaints[direct.empty() ? used : direct];
    text += (text.empty() ? "" : "\n") + sentence;
  }
  return complaints;
}

}  // namespace carom::inline viewing
