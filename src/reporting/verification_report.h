#pragma once

#include <string>

#include "verification/verify.h"

namespace carom::inline reporting {

/// A page about how far the answers of a model hold: verdicts, how the runs part, what each run says, the runs, the
/// model.
std::string verification_report(const Verification& verification, const std::string& model_text);

}  // namespace carom::inline reporting
