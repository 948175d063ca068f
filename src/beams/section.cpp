#include "beams/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom::inline beams {
namespace {

using Section = BeamModel::Section;

// Shear factors that are given replace those of the shape.
Section with_factors(Section section, const Settings& settings) {
  section.shear_y = settings.number("shear_factor_y", section.shear_y);
  section.shear_z = settings.number("shear_factor_z", section.shear_z);
  return section;
}

Section ring(const Settings& settings, double diameter, double bore, double poisson) {
  const double m2 = bore * bore / (diameter * diameter),
               polar = M_PI / 32 * (std::pow(diameter, 4) - std::pow(bore, 4));
  const double square = (1 + m2) * (1 + m2);
  Section section;
  section.area = M_PI / 4 * (diameter * diameter - bore * bore);
  section.inertia_y = section.inertia_z = polar / 2;
  section.torsion = polar;
  section.shear_y = section.shear_z =
      6 * (1 + poisson) * square / ((7 + 6 * poisson) * square + (20 + 12 * poisson) * m2);
  section.edge_y = section.edge_z = diameter / 2;
  section.torsion_modulus = polar / (diameter / 2);
  return with_factors(section, settings);
}

Section circle(const Settings& settings, double poisson) {
  return ring(settings, settings.number("diameter"), 0, poisson);
}

Section tube(const Settings& settings, double poisson) {
  const double diameter = settings.number("diameter");
  return ring(settings, diameter, diameter - 2 * settings.number("wall"), poisson);
}

// Saint-Venant's torsion of a rectangle with sides a ≥ b, by its series.
struct RectangleTorsion {
  double constant, modulus;
};
RectangleTorsion rectangle_torsion(double a, double b) {
  double sum = 0, edge = 0;
  for (int n = 1; n < 60; n += 2) {
    const double x = n * M_PI * a / (2 * b);
    sum += std::tanh(x) / std::pow(n, 5);
    edge += 1 / (n * n * std::cosh(std::min(x, 700.0)));
  }
  const double constant = a * b * b * b / 3 * (1 - 192 * b / (std::pow(M_PI, 5) * a) * sum);
  return {constant, constant / (b * (1 - 8 / (M_PI * M_PI) * edge))};
}

Section rectangle(const Settings& settings, double poisson) {
  const double width = settings.number("width"), height = settings.number("height");
  Section section;
  section.area = width * height;
  section.inertia_y = width * std::pow(height, 3) / 12;
  section.inertia_z = height * std::pow(width, 3) / 12;
  const RectangleTorsion torsion = rectangle_torsion(std::max(width, height), std::min(width, height));
  section.torsion = torsion.constant, section.torsion_modulus = torsion.modulus;
  section.shear_y = section.shear_z = 10 * (1 + poisson) / (12 + 11 * poisson);
  section.edge_y = width / 2, section.edge_z = height / 2;
  return with_factors(section, settings);
}

// Web along z, flanges along y; thin walls in torsion and shear.
Section profile_i(const Settings& settings, double) {
  const double width = settings.number("width"), height = settings.number("height");
  const double flange = settings.number("flange"), web = settings.number("web"), inner = height - 2 * flange;
  Section section;
  section.area = 2 * width * flange + inner * web;
  section.inertia_y = (width * std::pow(height, 3) - (width - web) * std::pow(inner, 3)) / 12;
  section.inertia_z = (2 * flange * std::pow(width, 3) + inner * std::pow(web, 3)) / 12;
  section.torsion = (2 * width * std::pow(flange, 3) + inner * std::pow(web, 3)) / 3;
  section.torsion_modulus = section.torsion / std::max(flange, web);
  section.shear_y = 5.0 / 6 * 2 * width * flange / section.area;
  section.shear_z = inner * web / section.area;
  section.edge_y = width / 2, section.edge_z = height / 2;
  return with_factors(section, settings);
}

Section given(const Settings& settings, double) {
  Section section;
  section.area = settings.number("area");
  section.inertia_y = settings.number("inertia_y");
  section.inertia_z = settings.number("inertia_z", section.inertia_y);
  section.torsion = settings.number("torsion", section.inertia_y + section.inertia_z);
  section.edge_y = settings.number("edge_y"), section.edge_z = settings.number("edge_z", section.edge_y);
  if (section.edge_y > 0) section.torsion_modulus = section.torsion / std::max(section.edge_y, section.edge_z);
  section.shear_y = section.shear_z = 5.0 / 6;
  return with_factors(section, settings);
}

ParameterDescription length_row(const std::string& name, const std::string& meaning) {
  return {.name = name, .unit = "m", .meaning = meaning, .minimum = 0, .minimum_allowed = false};
}

ParameterDescription area_row(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {.name = name, .unit = unit, .meaning = meaning, .minimum = 0, .minimum_allowed = false};
}

}  // namespace

const std::vector<SectionShape>& section_shapes() {
  static const std::vector<std::string> factors = {"shear_factor_y", "shear_factor_z"};
  static const std::vector<SectionShape> all = {
      {"circle", "a full circle", {"diameter"}, factors, circle},
      {"tube", "a ring", {"diameter", "wall"}, factors, tube},
      {"rectangle", "a full rectangle", {"width", "height"}, factors, rectangle},
      {"i", "an I with its web along z", {"width", "height", "flange", "web"}, factors, profile_i},
      {"given",
       "any, by its numbers",
       {"area", "inertia_y"},
       {"inertia_z", "torsion", "edge_y", "edge_z", "shear_factor_y", "shear_factor_z"},
       given}};
  return all;
}

const SectionShape* find_section_shape(const std::string& name) {
  for (const SectionShape& shape : section_shapes()) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

const std::vector<ParameterDescription>& section_parameters() {
  static const std::vector<ParameterDescription> all = [] {
    std::vector<std::string> names;
    for (const SectionShape& shape : section_shapes()) names.push_back(shape.name);
    return std::vector<ParameterDescription>{
        {.name = "shape",
         .kind = ParameterKind::choice,
         .meaning = "of the cross-section; x runs along the beam",
         .required = true,
         .choices = names},
        length_row("diameter", "of a circle, or outside of a tube"),
        length_row("wall", "thickness of the wall of a tube"),
        length_row("width", "of a rectangle, and of the flanges of an I: along y"),
        length_row("height", "of a rectangle, and of a whole I: along z"),
        length_row("flange", "thickness of the flanges of an I"),
        length_row("web", "thickness of the web of an I"),
        area_row("area", "m^2", "area of a given section"),
        area_row("inertia_y", "m^4", "second moment of area about y, for bending in the plane of x and z"),
        {.name = "inertia_z",
         .unit = "m^4",
         .meaning = "second moment of area about z, for bending in the plane of x and y; the one of planar models",
         .default_text = "inertia_y",
         .minimum = 0,
         .minimum_allowed = false},
        {.name = "torsion",
         .unit = "m^4",
         .meaning = "torsion constant",
         .default_text = "inertia_y + inertia_z",
         .minimum = 0,
         .minimum_allowed = false},
        {.name = "edge_y",
         .unit = "m",
         .meaning = "how far a given section reaches along y, for stresses",
         .default_text = "no stresses",
         .minimum = 0,
         .minimum_allowed = false},
        {.name = "edge_z",
         .unit = "m",
         .meaning = "how far it reaches along z",
         .default_text = "edge_y",
         .minimum = 0,
         .minimum_allowed = false},
        {.name = "shear_factor_y",
         .meaning = "shear stiffness along y over G A",
         .default_text = "Cowper's; of given sections 5/6",
         .minimum = 0,
         .maximum = 1,
         .minimum_allowed = false},
        {.name = "shear_factor_z",
         .meaning = "shear stiffness along z over G A",
         .default_text = "Cowper's; of given sections 5/6",
         .minimum = 0,
         .maximum = 1,
         .minimum_allowed = false}};
  }();
  return all;
}

std::vector<SectionFlaw> flaws_of(const SectionShape& shape, const Settings& settings) {
  std::vector<SectionFlaw> flaws;
  const auto expect_below = [&](const std::string& key, double limit, const std::string& what) {
    if (settings.number(key) < limit) return;
    flaws.push_back(
        {key, fmt::format("{:g} m", settings.number(key)), fmt::format("less than {}, {:g} m", what, limit)});
  };
  if (shape.name == "tube") expect_below("wall", settings.number("diameter") / 2, "half the diameter");
  if (shape.name == "i") {
    expect_below("flange", settings.number("height") / 2, "half the height");
    expect_below("web", settings.number("width"), "the width");
  }
  if (shape.name == "given") {
    const Section section = given(settings, 0);
    const double polar = section.inertia_y + section.inertia_z;
    const double least = section.area * section.area / (2 * M_PI);
    if (polar < least * (1 - 1e-9)) {
      flaws.push_back({"inertia_y", fmt::format("{:g} m⁴ about both axes together", polar),
                       fmt::format("at least {:g} m⁴, that of a circle of this area", least)});
    }
    if (section.torsion > polar * (1 + 1e-9)) {
      flaws.push_back({"torsion", fmt::format("{:g} m⁴", section.torsion),
                       fmt::format("at most inertia_y + inertia_z, {:g} m⁴", polar)});
    }
  }
  return flaws;
}

}  // namespace carom::inline beams
