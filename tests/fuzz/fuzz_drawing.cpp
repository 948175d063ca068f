#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "outline_io/chain_loops.h"
#include "outline_io/path_text.h"

// Any text is a drawing, a path, or refused with a reason; the first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 0) {
      carom::read_path(text, 1e-3);
    } else {
      carom::DrawnCurves curves = data[0] % 3 == 1 ? carom::read_svg(text, "") : carom::read_dxf(text, "");
      carom::chain_loops(std::move(curves.open), 1e-6);
    }
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).empty()) __builtin_trap();
  }
  return 0;
}
