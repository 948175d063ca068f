#pragma once

#include <string>
#include <vector>

#include "recording/result_reader.h"

namespace carom::inline viewing {

/// A curve over the time: a recorded quantity, or an expression of some.
struct QuantityCurve {
  std::string name;  // as it was asked for
  std::string unit;  // SI; empty: none
  std::vector<double> times, values;
};

/// Reads curves of a result.
class QuantityCurves {
 public:
  explicit QuantityCurves(const ResultReader& result);

  /// The curves that a text means: those of a name or a pattern, else of an expression of names and the time t, with
  /// "=" before it or not. Throws ResultError where it is neither.
  std::vector<std::string> names(const std::string& text) const;

  /// Of such a name. With `peaks`, normal forces begin, peak and end where contacts report it, between samples too;
  /// otherwise there is a value for every sample.
  QuantityCurve curve(const std::string& name, bool peaks) const;

 private:
  QuantityCurve expression(const std::string& text) const;
  void add_peaks(QuantityCurve& curve) const;

  const ResultReader& result_;
  std::vector<std::string> quantities_;
  std::vector<double> times_;
};

}  // namespace carom::inline viewing
