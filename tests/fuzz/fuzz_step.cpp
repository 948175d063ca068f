#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "geometry_io/triangle_soup.h"
#include "step/features.h"
#include "step/transfer.h"

// Whatever the reader of STEP files hands over is an assembly that can be used, or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const carom::StepAssembly assembly = carom::unpacked({reinterpret_cast<const char*>(data), size});
    carom::find_features(assembly);
    for (const carom::StepPart& part : assembly.parts) {
      carom::named_faces(part);
      carom::close_surface({part.points, part.triangles});
    }
  } catch (const carom::StepError&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
