#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model_io/read_model.h"
#include "model_io/write_model.h"

// Any bytes must be read without a crash; a model that is accepted must be accepted again once written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carom::ProblemList problems;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const carom::Model model = carom::read_model_text(text, "fuzz.toml", problems, {}, "/nonexistent");
  if (problems.errors() > 0) return 0;
  const std::string written = carom::write_model(model, &problems);
  if (problems.errors() > 0) return 0;
  carom::read_model_text(written, "written.toml", problems, {}, "/nonexistent");
  if (problems.errors() > 0) std::abort();
  return 0;
}
