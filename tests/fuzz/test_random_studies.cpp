#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/temporary_folder.h"
#include "studies/read_study.h"

namespace carom {
namespace {

const std::string model = R"toml([model]
plane = "xy"
gravity = [0, -9.81]
[parameters]
length = "1 m"
speed = "10 rad/s"
[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = ["=length/2", 0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[solver]
end = 1
)toml";

const std::string study = R"toml([study]
name = "All"
model = ["model.toml"]
method = ["compliant"]
sampling = "grid"
seed = 3
keep = false
[[vary]]
parameter = "length"
range = { from = "0.5 m", to = 2, count = 3, scale = "log" }
[[vary]]
parameter = "speed"
values = ["60 rpm", 1]
[steady]
period = "=2*pi/speed"
skip_turns = 1
detect = false
[[quantity]]
name = "top"
of = ["body:rod.x", "body:rod.y"]
reduce = "percentile"
percent = 40
from = 0.1
to = "900 ms"
[[quantity]]
name = "once"
of = "body:rod.y"
reduce = "poincare"
at = { crossing = "body:rod.x", value = "0.1 m", direction = "down" }
[[quantity]]
name = "path"
of = "body:rod.x"
reduce = "trace"
every = 2
models = ["model.toml"]
[[quantity]]
name = "exponent"
reduce = "lyapunov"
how = "variation"
interval = "=1/speed"
[[quantity]]
name = "worn"
of = "body:rod.ax"
reduce = "damage"
woehler = { range = 4, cycles = 1000, exponent = 3 }
[[quantity]]
name = "ratio"
value = "=top/length"
[[figure]]
name = "map"
kind = "map"
y = ["ratio"]
log = "z"
[[figure]]
name = "paths"
kind = "gallery"
y = ["path"]
x = ["path"]
where = { speed = "60 rpm" }
circle = "=length"
columns = 2
)toml";

// Whatever is written there, it ends with a study or with problems.
std::string problems_of(const std::string& text) {
  static const TemporaryFolder folder;
  std::ofstream(folder.path() / "model.toml") << model;
  std::ofstream(folder.path() / "study.toml") << text;
  ProblemList problems;
  read_study(folder.path() / "study.toml", problems);
  return problems.text();
}

TEST(RandomStudies, BeginWithASoundOne) {
  EXPECT_EQ(problems_of(study), "");
}

RC_GTEST_PROP(RandomStudies, ASliceReplacedByAnyBytesIsRead, (const std::string& insertion)) {
  std::string text = study;
  text.replace(*rc::gen::inRange<std::size_t>(0, text.size()), *rc::gen::inRange<std::size_t>(0, 20), insertion);
  problems_of(text);
}

RC_GTEST_PROP(RandomStudies, AnyValueOfAnyKeyIsRead, ()) {
  std::string text = study;
  const auto value = *rc::gen::element<std::string>(
      "1", "-1", "0", "1e308", "nan", "inf", "true", "\"\"", "\"=t\"", "[]", "[[]]", "{}", "{ from = 1 }", "1979-05-27",
      "\"model.toml\"", "[\"model.toml\", \"model.toml\"]", "\"=1/0\"", "[1, 2, 3, 4]", "\"speed\"", "\"poincare\"",
      "\"trace\"", "\"lyapunov\"", "{ event = \"joint:*\" }", "\"body:rod.x\"", "\"ratio\"",
      "{ from = 1, to = 2, count = 9000000 }");
  std::size_t at = 0;
  for (int k = *rc::gen::inRange(0, 60); k >= 0; --k) at = std::min(text.find(" = ", at + 1), text.size());
  if (at < text.size()) text.replace(at + 3, std::min(text.find('\n', at), text.size()) - at - 3, value);
  problems_of(text);
}

}  // namespace
}  // namespace carom
