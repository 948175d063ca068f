#include "viewing/viewed.h"

#include "model_io/read_model.h"
#include "parts/plugins.h"

namespace carom::inline viewing {

Viewed view_result(const std::filesystem::path& file) {
  ResultReader reader(file);
  const ResultHeader& header = reader.header();
  Viewed viewed{.kind = "result",
                .file = file.string(),
                .status = reader.status(),
                .version = header.version,
                .model_text = header.model_text,
                .statistics_json = reader.statistics_json(),
                .report = {},
                .warnings = {},
                .model = {},
                .samples = {}};
  ProblemList problems;
  viewed.model = read_recorded_model(header.model_text, header.model_file, header.settings_json, problems);
  const std::string missing = missing_part_sources(header.settings_json);
  if (problems.errors() > 0 && leave_out_unknown_parts(viewed.model, problems)) {
    viewed.warnings.push_back("Parts made by users are left out of the picture; " + missing + ".");
  } else if (problems.errors() > 0) {
    viewed.drawable = false;
    viewed.model = {};
    viewed.warnings.emplace_back(
        "The model inside the result cannot be read by this version of Carom, so only curves are "
        "shown. Run the model again with this version to see it move.");
  }
  viewed.samples = samples_of(std::move(reader));
  return viewed;
}

}  // namespace carom::inline viewing
