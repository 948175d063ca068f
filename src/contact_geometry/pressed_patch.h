#pragma once

#include <span>

#include "contact_geometry/depth_field.h"
#include "contact_geometry/half_space.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/surface_face.h"

// A built-in solid or hole, the carrier, whose surface is cut into cells where it overlaps with another shape, and the
// pressure over them by boundary elements. All is in the axes of the carrier.
namespace carom::inline contact_geometry {

class PressedPatch {
 public:
  static constexpr int most_seeds = 24, most_windows = 8;

  void reserve(int across);
  // `turn`, `offset`: axes and origin of the other shape in those of the carrier. `seeds`: places where the two
  // overlap, the deepest first, by `depth` m.
  void press(const Shape<3>& carrier, const Shape<3>& other, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
             std::span<const Eigen::Vector3d> seeds, double depth, int across);

  // A connected area under pressure, with E* = 1.
  struct Area {
    Eigen::Vector3d force = Eigen::Vector3d::Zero();   // m², on the carrier
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // m, of pressure
    double energy = 0;                                 // m³
    double area = 0, peak = 0, lever = 0;              // as in ContactArea
  };
  static constexpr int most_groups = 64;
  std::span<const Area> areas() const { return {areas_.data(), static_cast<std::size_t>(area_count_)}; }
  const HalfSpace& cells() const { return half_space_; }

 private:
  using Place = SurfaceFace::Place;
  // The part of a face that is cut into cells.
  struct Window {
    SurfaceFace face;
    Place low, high;              // in its parameters
    Place tight_low, tight_high;  // where the overlap ends
    Place seed_low, seed_high;    // what its seeds span
    int number = 0;               // of the face
  };
  DepthPlace depth_at(const Eigen::Vector3d& place) const;
  double deepest_along(const Window& window, int axis, double at) const;
  void open_windows(const SurfaceFace& face, int number, std::span<const Eigen::Vector3d> seeds, double depth);
  // A part of the face about a place of it.
  void open(const Place& at, double depth, Window& window) const;
  bool looks_away(const SurfaceFace& face, const Eigen::Vector3d& point) const;
  static void take_in(const Place& at, Window& window);
  static bool holds(const Window& window, const Eigen::Vector3d& point);
  static bool overlap(const Window& one, const Window& two);
  void widen(Window& window) const;
  void tighten(Window& window) const;
  void cut(int across);
  void follow_pressure();
  Conformity conformity() const;
  void gather();
  void join_neighbours();
  int root(int cell);
  void sum_up(int first, Area& area) const;

  const Shape<3>*carrier_ = nullptr, *other_ = nullptr;
  Eigen::Matrix3d turn_;
  Eigen::Vector3d offset_;
  double most_ = 0;       // m, deepest overlap of interest
  bool shallow_ = false;  // so that rounding makes cells of it that are not connected: it is one area
  std::array<Window, most_windows> windows_;
  int window_count_ = 0, across_ = 0;
  HalfSpace half_space_;
  std::vector<int> parent_, grid_;  // of cells; cells by face, row and column
  std::array<Area, most_groups> areas_;
  int area_count_ = 0;
};

}  // namespace carom::inline contact_geometry
