#pragma once

#include <stdexcept>
#include <string>

#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/shape_description.h"

// What all shapes share that are outlines: those that are drawn, and those that are made of a few numbers.
namespace carom::inline contact_geometry {

ShapeDescription<2> describe_as_outline(std::string name);

// What is wrong, from a text "what; remedy".
ShapeError outline_error(const std::string& text);

// A function that takes keys, whose complaints become those of the shape.
template <void (*take)(const Settings&, Shape<2>&)>
void take_guarded(const Settings& keys, Shape<2>& shape) {
  try {
    take(keys, shape);
  } catch (const ShapeError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw outline_error(error.what());
  }
}

}  // namespace carom::inline contact_geometry
