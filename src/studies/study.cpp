#include "studies/study.h"

#include <algorithm>

#include "base/version.h"
#include "model_io/write_model.h"
#include "studies/checksum.h"

namespace carom {

const std::vector<std::string>& sampling_names() {
  static const std::vector<std::string> names = {"grid", "list", "latin-hypercube", "sobol", "random"};
  return names;
}

std::size_t Study::number_of_lists() const {
  return static_cast<std::size_t>(
      std::count_if(quantities.begin(), quantities.end(), [](const StudyQuantity& each) { return each.is_list; }));
}

std::uint64_t fingerprint(const Study& study) {
  // Files that a model includes show in the model that they make.
  std::string all = std::string(carom_version) + '\0' + study.text;
  for (const StudyModel& model : study.models) all += '\0' + model.documents.text + '\0' + write_model(model.base);
  return checksum(all);
}

}  // namespace carom
