#include "studies/study.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/version.h"
#include "model_io/write_model.h"
#include "parts/plugins.h"
#include "studies/checksum.h"

namespace carom::inline studies {
namespace {

// From a header [[figure]] to the next header of another kind.
std::string without_figures(const std::string& text) {
  std::string kept;
  bool figure = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with('[')) figure = line.starts_with("[[figure]]") || line.starts_with("[figure.");
    if (!figure) kept += line;
    begin = end;
  }
  while (kept.ends_with("\n\n")) kept.pop_back();  // lines between the last quantity and the first figure
  return kept;
}

// Laws and forces of plug-ins are what their files hold.
std::string plugin_files() {
  std::string all;
  for (const PartSource& source : part_sources()) {
    if (source.origin == from_program) continue;
    std::ifstream file(source.origin, std::ios::binary);
    all += '\0' + std::string(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

}  // namespace

const std::vector<std::string>& sampling_names() {
  static const std::vector<std::string> names = {"grid", "list", "latin-hypercube", "sobol", "random"};
  return names;
}

std::size_t Study::number_of_lists() const {
  return static_cast<std::size_t>(
      std::count_if(quantities.begin(), quantities.end(), [](const StudyQuantity& each) { return each.is_list; }));
}

bool StudyQuantity::asked_of(std::size_t model) const {
  return models.empty() || std::find(models.begin(), models.end(), model) != models.end();
}

std::uint64_t fingerprint(const Study& study) {
  // Files that a model includes show in the model that they make.
  std::string all = std::string(carom_version) + '\0' + without_figures(study.text);
  for (const StudyModel& model : study.models) all += '\0' + model.documents.text + '\0' + write_model(model.base);
  return checksum(all + plugin_files());
}

}  // namespace carom::inline studies
