#pragma once

#include <string>
#include <vector>

#include "viewing/viewed.h"

namespace carom::inline viewing {

/// A part of the run, s; both ends belong to it.
struct TimeSpan {
  double from = 0, to = 0;
};

/// A quantity over time as pairs t, value: thinned out to what `columns` columns of a screen can show, with every peak
/// kept. A pair with value NaN separates pieces of the curve.
std::vector<double> thin_curve(const std::vector<double>& times, const std::vector<double>& values, TimeSpan span,
                               std::size_t columns);

/// One quantity over another as triples t, x, y, thinned out over equal parts of the run: of each part the first, the
/// last and the extremes of both quantities remain.
std::vector<double> thin_phase_curve(const std::vector<double>& times, const std::vector<double>& xs,
                                     const std::vector<double>& ys, TimeSpan span, std::size_t parts);

/// The samples of which x is above a level, in the places of the three lists; x of their neighbours is drawn to the
/// level. Of a contact whose x is its penetration that leaves the times of touch, each beginning and ending at zero.
void keep_above(double level, std::vector<double>& times, std::vector<double>& xs, std::vector<double>& ys);

/// Events of a stretch of time that are too close to be told apart on the screen.
struct EventMark {
  double first = 0, last = 0;  // s
  std::size_t count = 0;
  std::string kind, subject;  // of the first
};
std::vector<EventMark> event_marks(const Viewed& viewed, TimeSpan span, std::size_t columns);

}  // namespace carom::inline viewing
