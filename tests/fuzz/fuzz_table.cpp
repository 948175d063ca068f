#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "model_io/read_model.h"

namespace {

constexpr const char* model = R"toml([model]
plane = "xy"
[[body]]
name = "ball"
mass = 1
inertia = 1
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "ball"]
at = [0, 0]
axis = [1, 0]
[[motion]]
joint = "slide"
position = { file = "table.csv", interpolation = "KIND" }
)toml";

}  // namespace

// Any bytes are a table of a function or refused with a line of the table; the first byte chooses how points are
// joined.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "carom-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    return name;
  }();
  if (size == 0) return 0;
  std::ofstream(folder / "table.csv", std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  std::string text = model;
  text.replace(text.find("KIND"), 4, data[0] % 2 == 0 ? "cubic" : "linear");
  carom::ProblemList problems;
  const carom::Model read = carom::read_model_text(text, "fuzz.toml", problems, {}, folder);
  if (problems.errors() > 0) return 0;
  // What is accepted has a value at every time.
  for (const double t : {-1.0, 0.0, 0.3, 1e3}) {
    if (std::isnan(read.motions.at(0).value.value(t))) std::abort();
  }
  return 0;
}
