#pragma once

#include <string>

#include "plotting/film.h"
#include "recording/result_reader.h"
#include "recording/select_samples.h"
#include "viewing/viewed.h"

namespace carom::inline viewing {

struct FilmChoice {
  SampleChoice part = {};
  double seconds = 8;         // that the part of the run takes in the film
  std::string quantity = {};  // whose curve is shown below; empty: the normal force of the contact with the largest
};

/// The mechanism in motion with its contact forces, beside it round joints with clearance, whose play is drawn as large
/// as can be seen, and below the curve of a quantity. Forces of a picture are the largest until the next one, so that
/// no impact is missed. Throws ResultError where there is nothing to draw.
Film mechanism_film(const Viewed& viewed, const ResultReader& result, const FilmChoice& choice);

}  // namespace carom::inline viewing
