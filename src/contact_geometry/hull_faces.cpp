#include "contact_geometry/hull_faces.h"

#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

// Alone, because the macros of Qhull would be seen everywhere else.
namespace carom::inline contact_geometry {

std::vector<HullFace> hull_faces(const std::vector<Eigen::Vector3d>& points) {
  std::vector<double> numbers;
  for (const Eigen::Vector3d& point : points) numbers.insert(numbers.end(), {point.x(), point.y(), point.z()});
  // What it would print is left out: the caller says what is wrong with the points.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  qhT state, *const qh = &state;
  qh_zero(qh, nowhere.get());
  char command[] = "qhull";
  const int failed =
      qh_new_qhull(qh, 3, static_cast<int>(points.size()), numbers.data(), False, command, nullptr, nowhere.get());
  std::vector<HullFace> faces;
  if (failed == 0) {
    facetT* facet = nullptr;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FORALLfacets {
      HullFace face{{}, {facet->normal[0], facet->normal[1], facet->normal[2]}};
      FOREACHvertex_(facet->vertices) face.points.push_back(qh_pointid(qh, vertex->point));
      faces.push_back(std::move(face));
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int left = 0, total = 0;
  qh_memfreeshort(qh, &left, &total);
  return faces;
}

}  // namespace carom::inline contact_geometry
