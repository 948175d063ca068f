#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "geometry_io/height_grid.h"
#include "geometry_io/triangle_soup.h"

// Any bytes must be read without a crash; what is accepted as a surface is closed and has a volume.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 5 == 3) {
      carom::read_height_table(bytes);
    } else if (data[0] % 5 == 4) {
      carom::read_height_picture(bytes);
    } else {
      constexpr const char* names[] = {"a.stl", "a.obj", "a.ply"};
      const carom::ClosedSurface surface = carom::close_surface(carom::read_triangles(bytes, names[data[0] % 5]));
      if (!(surface.volume > 0)) std::abort();
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
