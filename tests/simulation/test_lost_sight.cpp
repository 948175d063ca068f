#include <cmath>
#include <fstream>
#include <sstream>

#include "run_parts.h"

// Compliant contacts of open curves that pass out of each other's sight.
namespace carom {
namespace {

// The knee of the case with one of its ligaments held at the mass centre of the tibia: it tears the joint through
// itself.
TEST(LostSight, EndsAContact) {
  const std::string folder = CAROM_SOURCE_DIR "/cases/knee_profiles";
  std::ostringstream read;
  read << std::ifstream(folder + "/model.toml").rdbuf();
  std::string text = read.str();
  const std::string held = "position = [0.163, 0.008]\n";
  ASSERT_NE(text.find(held), std::string::npos);
  text.erase(text.find(held), held.size());
  const Outcome outcome = run_text(text, folder);
  const auto touching = outcome.recorded.column("contact:knee.touching"),
             penetration = outcome.recorded.column("contact:knee.penetration");
  int closed = 0;
  for (std::size_t k = 0; k < touching.size(); ++k) {
    if (touching[k] == 0) continue;
    ++closed;
    EXPECT_TRUE(std::isfinite(penetration[k])) << k;
  }
  EXPECT_GT(closed, 3);
  EXPECT_GT(outcome.summary.contacts.begun, 2);
  EXPECT_FALSE(outcome.summary.warnings.empty());  // of energy and of contacts that are found at a depth
}

}  // namespace
}  // namespace carom
