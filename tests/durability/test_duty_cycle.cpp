#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/problem.h"
#include "durability/duty_cycle.h"

namespace carom {
namespace {

RecordedLife lived(double load, double speed, BearingType type = BearingType::deep_groove) {
  RecordedLife life;
  life.geometry.type = type;
  life.rating = 20e3;
  life.revolutions = 1e6 * std::pow(20e3 / load, life.geometry.balls() ? 3 : 10.0 / 3);
  life.speed = speed;
  return life;
}

// By hand, in the way of handbooks: P_m³ = Σ P³ n q/Σ n q, L = (C/P_m)³ millions of turns at the mean speed.
TEST(DutyCycle, AddsUpAsTheMeanLoadOfHandbooks) {
  for (const BearingType type : {BearingType::deep_groove, BearingType::cylindrical_roller}) {
    const double p = has_balls(type) ? 3 : 10.0 / 3, rpm = 2 * M_PI / 60;
    const std::vector<Duty> duties = {{"a", 5}, {"b", 3}, {"c", 2}};
    const std::vector<RecordedLife> lives = {lived(1000, 3000 * rpm, type), lived(2500, 1000 * rpm, type),
                                             lived(4000, 500 * rpm, type)};
    const DutyLife life = life_under_duties(duties, lives);
    const double mean_speed = 0.5 * 3000 + 0.3 * 1000 + 0.2 * 500;
    const double mean_load = std::pow(
        (0.5 * 3000 * std::pow(1000, p) + 0.3 * 1000 * std::pow(2500, p) + 0.2 * 500 * std::pow(4000, p)) / mean_speed,
        1 / p);
    EXPECT_NEAR(life.mean_load, mean_load, 1e-9 * mean_load);
    const double hours = 1e6 * std::pow(20e3 / mean_load, p) / (60 * mean_speed);
    EXPECT_NEAR(life.cycles * life.hours, hours, 1e-9 * hours);
    EXPECT_NEAR(life.turns, 60 * 10 * mean_speed, 1e-6);
    double shares = 0;
    for (const DutyLife::Part& part : life.parts) shares += part.share;
    EXPECT_NEAR(shares, 1, 1e-12);
    EXPECT_NEAR(life.parts[1].load, 2500, 1e-6);
  }
}

TEST(DutyCycle, NeedsRunsThatTurn) {
  EXPECT_THROW(life_under_duties(std::vector<Duty>{{"a", 5}}, std::vector<RecordedLife>{lived(1000, 0)}), InputError);
}

TEST(DutyCycle, ReadsATableAndNamesWhatIsWrong) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "duties.csv";
  const auto with = [&](const std::string& text) {
    std::ofstream(file) << text;
    return read_duties(file);
  };
  const std::vector<Duty> duties = with("hours, result\n2.5, idle.h5\n\n7, cut.h5\r\n");
  ASSERT_EQ(duties.size(), 2U);
  EXPECT_EQ(duties[1].result, file.parent_path() / "cut.h5");
  EXPECT_EQ(duties[0].hours, 2.5);
  for (const std::string text :
       {"result,time\na,1\n", "result,hours\n", "result,hours\na,0\n", "result,hours\na,many\n", "result,hours\na\n"}) {
    EXPECT_THROW(with(text), InputError) << text;
  }
}

}  // namespace
}  // namespace carom
