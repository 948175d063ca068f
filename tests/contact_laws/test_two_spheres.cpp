#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "contact_laws/hysteresis_law.h"
#include "impact_by_steps.h"

namespace carom {
namespace {

constexpr double mass = 0.046, speed = 0.3, stiffness = 5.5e9;

struct Row {
  std::string model;
  double restitution, h, out, max_penetration, max_force, compression_time, duration, at_max_force, loss;
};

std::vector<Row> reference() {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/contact_laws/data/two_spheres.csv");
  std::vector<Row> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#") || line.starts_with("model")) continue;
    std::stringstream cells(line);
    std::string cell;
    Row row{};
    std::getline(cells, row.model, ',');
    for (double* value : {&row.restitution, &row.h, &row.out, &row.max_penetration, &row.max_force,
                          &row.compression_time, &row.duration, &row.at_max_force, &row.loss}) {
      std::getline(cells, cell, ',');
      *value = std::strtod(cell.c_str(), nullptr);
    }
    rows.push_back(row);
  }
  return rows;
}

// The name in the catalogue, and the end of the contact it was computed with.
std::pair<std::string, std::string> law_name(const std::string& model) {
  static const std::map<std::string, std::pair<std::string, std::string>> other = {
      {"gonthier_exact", {"gonthier", ""}},
      {"gonthier_approx", {"gonthier-approximate", ""}},
      {"zhang2020", {"zhang", ""}},
      {"goldsmith_plastic", {"goldsmith", ""}},
      {"kelvin_voigt_adhesive", {"kelvin-voigt", "adhesive"}},
      {"kelvin_voigt_clamped", {"kelvin-voigt", "clamped"}},
      {"tsuji_adhesive", {"tsuji", "adhesive"}},
      {"tsuji_clamped", {"tsuji", "clamped"}},
  };
  const auto found = other.find(model);
  if (found != other.end()) return found->second;
  std::string name = model;
  std::replace(name.begin(), name.end(), '_', '-');
  return {name, ""};
}

std::unique_ptr<NormalLaw> make_law(const Row& row) {
  const auto hertz = ElasticLaw::power(stiffness, 1.5);
  // Not in the catalogue: the source of the formula has not been seen.
  if (row.model == "safaeifar")
    return std::make_unique<HysteresisLaw>(hertz, 5 * (1 - row.restitution) / (4 * row.restitution));
  const auto [name, end] = law_name(row.model);
  const NormalLawDescription* description = find_normal_law(name);
  if (!description) return nullptr;
  const double linear = 0.8 * stiffness * std::sqrt(elastic_penetration(hertz, mass, speed));
  Settings settings;
  if (!end.empty()) settings.set("end", end);
  return description->make({.elastic = description->elastic == "linear" ? ElasticLaw::power(linear, 1) : hertz,
                            .restitution = row.restitution,
                            .effective_mass = mass,
                            .settings = settings});
}

double worst = 0;
void expect_close(double value, double expected, double tolerance, const std::string& what) {
  const double error = std::abs(value - expected) / std::abs(expected);
  worst = std::max(worst, error);
  EXPECT_LT(error, tolerance) << what << ": " << value << ", expected " << expected;
}

std::string name_of(const Row& row) {
  return row.model + " at " + std::to_string(row.restitution);
}

template <typename Impact>
void expect_reference(const Impact& impact, const Row& row, double tolerance, double tolerance_of_times) {
  const std::string what = name_of(row);
  expect_close(impact.restitution, row.out, tolerance, what + " restitution");
  expect_close(impact.max_penetration, row.max_penetration, tolerance, what + " penetration");
  expect_close(impact.max_force, row.max_force, tolerance, what + " force");
  expect_close(impact.compression_time, row.compression_time, tolerance_of_times, what + " compression");
  expect_close(impact.duration, row.duration, tolerance_of_times, what + " duration");
}

// The closed form and the quadrature.
TEST(two_spheres, closed_form) {
  const auto hertz = ElasticLaw::power(stiffness, 1.5);
  int count = 0;
  worst = 0;
  for (const Row& row : reference()) {
    if (std::isnan(row.h)) continue;
    const auto law = make_law(row);
    ASSERT_TRUE(law) << row.model;
    ASSERT_TRUE(law->hysteresis());
    EXPECT_NEAR(*law->hysteresis(), row.h, 2e-14 * (1 + row.h)) << row.model << row.restitution;
    const FreeImpact impact = free_impact(*law->hysteresis(), hertz, mass, speed);
    expect_reference(impact, row, 5e-14, 1e-12);
    ++count;
  }
  EXPECT_EQ(count, 70);
  RecordProperty("worst_error", testing::PrintToString(worst));
}

// The law classes, stepped in time.
TEST(two_spheres, stepped_in_time) {
  worst = 0;
  for (const Row& row : reference()) {
    const auto law = make_law(row);
    ASSERT_TRUE(law) << row.model;
    const SteppedImpact impact = ImpactStepper(*law, mass, speed, 1.5e-4).run();
    expect_reference(impact, row, 1e-7, 1e-7);
    EXPECT_NEAR(impact.loss, row.loss, 1e-7 * 0.5 * mass * speed * speed) << name_of(row);
  }
  RecordProperty("worst_error", testing::PrintToString(worst));
}

}  // namespace
}  // namespace carom
