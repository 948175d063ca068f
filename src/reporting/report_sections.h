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

/// Where a value stands among those of a kind of event; none: it has no such value.
std::optional<std::size_t> place_of(const EventKind& kind, const std::string& value);

PageSection answers_section(const ReportSource& source);
PageSection statistics_section(const ReportSource& source);
std::optional<PageSection> motion_section(const ReportSource& source);
std::optional<PageSection> plots_section(const ReportSource& source, const std::vector<std::string>& patterns);
std::optional<PageSection> events_section(const ReportSource& source, std::size_t most);
std::optional<PageSection> forces_section(const ReportSource& source);
std::optional<PageSection> energy_section(const ReportSource& source);
PageSection model_section(const ReportSource& source);
PageSection reproduction_section(const ReportSource& source);

}  // namespace carom::inline reporting
