#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/normal_law.h"

namespace carom {
namespace {

constexpr double speed = 0.3, depth = 1.5e-5;

struct Case {
  std::string what;
  std::unique_ptr<NormalLaw> law;
  bool may_pull = false;
};

Settings settings_of(const std::string& name, const std::string& end) {
  Settings settings;
  if (name == "adams") settings.set("damping", 300.0), settings.set("depth", 1e-5);
  if (name == "marhefka-orin") settings.set("damping", 3.0);
  if (name == "kuwabara-kono") settings.set("relaxation_time", 1e-5);
  if (!end.empty()) settings.set("end", end);
  return settings;
}

// Every law with every kind of elastic shape, several restitutions and both ends.
std::vector<Case> every_case() {
  const std::vector<std::pair<std::string, ElasticLaw>> shapes = {{"hertz", ElasticLaw::power(5.5e9, 1.5)},
                                                                  {"linear", ElasticLaw::power(1.7e7, 1)},
                                                                  {"brandlein", ElasticLaw::power(4e7, 1.08)},
                                                                  {"power", ElasticLaw::power(1e12, 2.2)},
                                                                  {"liu", ElasticLaw::liu(1e11, 2e-3, 1e-5)}};
  std::vector<Case> cases;
  for (const auto& description : normal_law_catalogue())
    for (const auto& [shape, elastic] : shapes)
      for (double restitution : {1.0, 0.7, 0.3})
        for (const std::string end : {"", "adhesive"}) {
          const bool has_end = std::any_of(description.parameters.begin(), description.parameters.end(),
                                           [](const auto& parameter) { return parameter.name == "end"; });
          if (!end.empty() && !has_end) continue;
          const Settings settings = settings_of(description.name, end);
          cases.push_back({fmt::format("{} {} {} {}", description.name, shape, restitution, end),
                           description.make({elastic, restitution, 0.046, settings}), !end.empty()});
        }
  return cases;
}

std::vector<NormalContact> every_contact() {
  std::vector<NormalContact> contacts;
  for (double penetration : {-1e-6, 0.0, 1e-8, 3e-7, 2.3e-6, 7e-6, 9.7e-6, 1.31e-5})
    for (double rate : {-1.7, -0.29, -0.11, -0.013, 0.0, 0.02, 0.17, 0.3, 0.9})
      for (double deepest : {penetration, depth})
        contacts.push_back({penetration, rate, speed, std::max(0.0, deepest)});
  return contacts;
}

// A rate of change by differences, and how far it may be wrong.
template <class F>
void expect_derivative(double value, const F& f, double x, double step, double scale, const std::string& what) {
  const double difference = (8 * (f(x + step) - f(x - step)) - (f(x + 2 * step) - f(x - 2 * step))) / (12 * step);
  EXPECT_NEAR(value, difference, 2e-7 * std::abs(difference) + 1e-12 * scale / step) << what;
}

// A breakpoint near the point would spoil the differences.
bool is_smooth_near(const NormalLaw& law, const NormalContact& contact, double step) {
  const auto state = [&](double penetration, double rate) {
    NormalContact near = contact;
    near.penetration = penetration;
    near.rate = rate;
    return std::pair(law.force(near) > 0, law.force(near) == 0);
  };
  const auto here = state(contact.penetration, contact.rate);
  for (double d : {-3 * step, 3 * step})
    for (double r : {-3e-4 * speed, 3e-4 * speed})
      if (state(contact.penetration + d, contact.rate + r) != here) return false;
  return true;
}

TEST(every_law, catalogue_is_sorted_and_complete) {
  const auto& catalogue = normal_law_catalogue();
  EXPECT_TRUE(std::is_sorted(catalogue.begin(), catalogue.end(), [](auto& a, auto& b) { return a.name < b.name; }));
  for (const auto& law : catalogue) {
    EXPECT_FALSE(law.summary.empty() || law.reference.empty() || law.formula.empty()) << law.name;
    EXPECT_TRUE(law.make) << law.name;
    EXPECT_EQ(find_normal_law(law.name), &law);
    EXPECT_TRUE(find_elastic(law.elastic)) << law.name;
  }
  EXPECT_TRUE(find_normal_law(default_normal_law));
  EXPECT_FALSE(find_normal_law("herz"));
  EXPECT_EQ(catalogue.size(), 25u);
}

TEST(every_law, derivatives) {
  int checked = 0;
  for (const Case& entry : every_case())
    for (const NormalContact& contact : every_contact()) {
      const double step = 1e-4 * std::abs(contact.penetration);
      if (contact.penetration <= 0 || std::abs(contact.penetration - contact.deepest) < 3 * step) continue;
      if (!is_smooth_near(*entry.law, contact, step)) continue;
      ++checked;
      const NormalForce force = entry.law->evaluate(contact);
      const std::string what = entry.what + " at " + std::to_string(1e6 * contact.penetration) + " µm, " +
                               std::to_string(contact.rate) + " m/s";
      const auto by_penetration = [&](double x) {
        return entry.law->force({x, contact.rate, contact.impact_speed, contact.deepest});
      };
      const auto by_rate = [&](double x) {
        return entry.law->force({contact.penetration, x, contact.impact_speed, contact.deepest});
      };
      const auto energy = [&](double x) {
        return entry.law->energy({x, contact.rate, contact.impact_speed, contact.deepest});
      };
      expect_derivative(force.by_penetration, by_penetration, contact.penetration, step, std::abs(force.force), what);
      expect_derivative(force.by_rate, by_rate, contact.rate, 1e-4 * speed, std::abs(force.force), what);
      expect_derivative(force.elastic, energy, contact.penetration, step, force.energy, what);
    }
  EXPECT_GT(checked, 20000);
}

TEST(every_law, no_pull_and_no_gain) {
  for (const Case& entry : every_case())
    for (const NormalContact& contact : every_contact()) {
      const NormalForce force = entry.law->evaluate(contact);
      const std::string what = entry.what + " at " + std::to_string(contact.penetration);
      EXPECT_TRUE(entry.may_pull || force.force >= 0) << what;
      EXPECT_GE(force.elastic, 0) << what;
      EXPECT_GE(force.energy, 0) << what;
      EXPECT_GE(force.by_rate, 0) << what;
      if (force.force == 0 && contact.penetration != 0) {
        EXPECT_EQ(force.by_penetration, 0) << what;
        EXPECT_EQ(force.by_rate, 0) << what;
      }
      if (contact.penetration < 0) {
        EXPECT_EQ(force.force, 0) << what;
      }
      // A plastic law moves along its first loading only inwards.
      const bool virgin = entry.law->remembers_depth() && contact.penetration >= contact.deepest;
      if (!virgin || contact.rate >= 0) {
        EXPECT_GE((force.force - force.elastic) * contact.rate, -1e-12 * std::abs(force.force)) << what;
      }
      // The quick paths.
      EXPECT_NEAR(entry.law->force(contact), force.force, 1e-12 * std::abs(force.force)) << what;
      EXPECT_NEAR(entry.law->energy(contact), force.energy, 1e-12 * force.energy) << what;
    }
}

// The event functions meet the force where it meets zero.
TEST(every_law, events) {
  for (const Case& entry : every_case())
    for (const NormalContact& contact : every_contact()) {
      if (contact.penetration <= 0) continue;
      const std::string what = entry.what + " at " + std::to_string(1e6 * contact.penetration);
      if (entry.law->clamp_margin(contact) < 0) {
        EXPECT_EQ(entry.law->force(contact), 0) << what;
      }
      const double release = entry.law->release_penetration(contact);
      EXPECT_GE(release, 0) << what;
      if (release == 0 && !entry.may_pull && entry.law->clamp_margin(contact) > 0) {
        EXPECT_GT(entry.law->force(contact), 0) << what;
      }
      if (release == 0) continue;
      NormalContact there = contact;
      if (entry.law->remembers_depth() && contact.penetration >= contact.deepest) continue;
      there.penetration = release;
      EXPECT_LT(entry.law->force(there), 1e-9) << what;
      there.penetration = 0.9999 * release;
      EXPECT_EQ(entry.law->force(there), 0) << what;
      there.penetration = 1.0001 * release;
      if (there.penetration < there.deepest) {
        EXPECT_GT(entry.law->force(there), 0) << what;
      }
    }
}

}  // namespace
}  // namespace carom
