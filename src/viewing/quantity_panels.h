#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"
#include "recording/result_reader.h"
#include "recording/select_samples.h"

namespace carom::inline viewing {

/// A unit to show quantities in, those of its dimension.
struct UnitWish {
  std::string unit;      // "mm", "rpm"
  std::string of = "*";  // pattern of the quantities
  bool must_fit = true;  // refused where nothing that is drawn can be given in it
};

/// What to draw of a result, and how.
struct CurveChoice {
  /// Names, patterns, or expressions of quantities and the time t such as "body:a.x - body:b.x" or "=2*energy.kinetic".
  std::vector<std::string> quantities = {};
  std::string x = "time";  // or a quantity, or an expression
  SampleChoice part = {};
  std::vector<UnitWish> units = {};              // the first that fits counts
  std::size_t most_panels = 0, most_curves = 0;  // at most so many, of a panel; 0: all
};

struct QuantityPanels {
  std::vector<Panel> panels;
  std::size_t left_out_panels = 0, left_out_curves = 0;
};

/// Curves of the quantities over time or over another one. Quantities of one unit share a panel; where it must not have
/// all of them, those that vary most remain. Axes are of equal scale where both show components of one vector. Normal
/// forces reach the peaks that contacts report, also between samples. Throws ResultError for an unknown quantity, with
/// close names, for an expression that cannot be read or whose terms do not agree, and for a unit that fits nothing.
QuantityPanels choose_panels(const ResultReader& result, const CurveChoice& choice);

/// All curves of the quantities that the patterns mean.
std::vector<Panel> quantity_panels(const ResultReader& result, const std::vector<std::string>& patterns,
                                   const std::vector<UnitWish>& units = {});

}  // namespace carom::inline viewing
