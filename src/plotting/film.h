#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"

namespace carom::inline plotting {

/// A part of a moving picture: shapes in data coordinates, some at rest, some in one picture only.
struct FilmView {
  std::string title = {};
  double left = 0, top = 0, width = 0, height = 0;      // on the page, points
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;  // the data that must be seen
  bool equal_axes = true;                               // one unit is as long on x as on y
  bool boxed = false;                                   // with a border
  std::vector<DrawnShape> still = {};                   // behind
  std::vector<std::vector<DrawnShape>> frames = {};     // one list a picture
};

/// Pictures that follow each other for ever.
struct Film {
  std::string title = {}, description = {};
  double width = 860, height = 400;     // points
  double seconds = 8;                   // of all pictures
  std::vector<FilmView> views = {};     // all of as many pictures
  std::vector<std::string> texts = {};  // below, one a picture
  std::string note = {};                // below, of all
};

/// An SVG file that moves by itself, without a script: browsers and code hosts show it as any picture. Who has asked
/// his system for less motion sees the first picture. Its bytes depend on the film only.
std::string film_svg(const Film& film);

}  // namespace carom::inline plotting
