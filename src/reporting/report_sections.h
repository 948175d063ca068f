#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "reporting/page.h"
#include "reporting/result_report.h"
#include "viewing/viewed.h"

// The sections of the page about a result; none where the result has nothing to say.
namespace carom::inline reporting {

struct ReportSource {
  const ResultReader& result;
  const Viewed& viewed;
  const nlohmann::ordered_json& statistics;  // an object; empty: the run has left none
};

PageSection summary_section(const ReportSource& source);
std::optional<PageSection> motion_section(const ReportSource& source);
std::optional<PageSection> plots_section(const ReportSource& source, const std::vector<std::string>& patterns);
std::optional<PageSection> events_section(const ReportSource& source, std::size_t most);
std::optional<PageSection> forces_section(const ReportSource& source);
std::optional<PageSection> energy_section(const ReportSource& source);
PageSection model_section(const ReportSource& source);
PageSection reproduction_section(const ReportSource& source);

}  // namespace carom::inline reporting
