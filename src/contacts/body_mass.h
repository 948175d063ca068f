#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model.h"

// Mass, mass centre and inertia of a body that follow from its shapes and their densities. Shapes are summed up: where
// two of them overlap, the material counts twice, which is reported. Holes that lie in the material are taken away.
namespace carom::inline contacts {

// kg/m³ of a shape: its own `density`, otherwise that of the body, otherwise of its material. 0: it weighs nothing, as
// what is drawn only. None: nothing says it.
std::optional<double> density_of(const BodyModel& body, const Geometry& geometry,
                                 const std::vector<Material>& materials);

// m, of a shape across the plane of a planar model; 0: nothing says it.
double depth_of(const BodyModel& body, const Geometry& geometry);

struct BodyMass {
  struct Remark {
    std::size_t shape = 0, other = 0;  // numbers of shapes of the body
    double share = 0;                  // of the volume of the first
  };
  double mass = 0;                                    // kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // m, body axes
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m², about the centre, body axes
  std::vector<Remark> overlaps;                       // the first lies with this share in the other
  std::vector<Remark> loose_holes;                    // of which this share only lies in material; not taken away
  std::vector<std::size_t> endless_holes;             // slots, which have no volume; not taken away
};

// The shapes must be sound. Throws ShapeError where one cannot be made.
BodyMass mass_of_shapes(const BodyModel& body, const std::vector<Material>& materials, bool planar);

}  // namespace carom::inline contacts
