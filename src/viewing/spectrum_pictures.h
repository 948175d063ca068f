#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"
#include "recording/result_reader.h"
#include "recording/select_samples.h"
#include "signals/bearing_frequencies.h"
#include "signals/spectrum.h"

// Pictures of how a machine sounds.
namespace carom::inline viewing {

/// A spectrum with the lines at which faults would show: harmonics of the marks as dashed lines of their colour, side
/// bands as grey ones; up to a frequency, Hz.
Panel marked_spectrum(const Spectrum& spectrum, const std::string& label, const std::vector<MarkedFrequency>& marks,
                      double up_to);

struct WaterfallChoice {
  std::string quantity = {};  // or an expression
  std::string x = {};         // on the horizontal axis, which rises or falls throughout; empty: the time
  SampleChoice part = {};
  double window = 0;                    // s; 0: a fortieth of the part
  double up_to = 0;                     // Hz; 0: all
  std::vector<double> orders = {};      // of the quantity on the horizontal axis, a speed in rad/s, to draw
  std::vector<std::string> units = {};  // to show the quantities in, those of their dimension
};

/// A map of amplitudes over frequency and time, or over a speed. Throws InputError or ResultError for what cannot be.
Panel waterfall_panel(const ResultReader& result, const WaterfallChoice& choice);

}  // namespace carom::inline viewing
