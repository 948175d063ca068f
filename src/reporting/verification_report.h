#pragma once

#include <string>

#include "reporting/page.h"
#include "verification/verify.h"

namespace carom::inline reporting {

/// Verdicts, how the runs part, the runs, and what each of them says.
std::vector<PageSection> verification_sections(const Verification& verification);

/// A page of these and the model.
std::string verification_report(const Verification& verification, const std::string& model_text);

}  // namespace carom::inline reporting
