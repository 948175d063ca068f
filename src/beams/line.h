#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace carom::inline beams {

// The line of a beam, cut into elements.
struct BeamLine {
  std::vector<Eigen::Vector3d> nodes;        // m
  std::vector<Eigen::Matrix3d> node_frames;  // x along the line, y and z of the section
  std::vector<BeamModel::Element> elements;
  double length = 0;        // m
  double largest_turn = 0;  // rad, of one element from end to end
};

struct BeamLineRequest {
  std::vector<Eigen::Vector3d> points;
  LineShape shape = LineShape::straight;
  int elements = 1;
  Eigen::Vector3d up = Eigen::Vector3d::Zero();  // towards which z of the section points; zero: chosen
  double twist = 0;                              // rad, of the section from begin to end
  bool planar = false;
};

// Points that follow each other differ; an arc has three that do not lie on one line.
BeamLine make_line(const BeamLineRequest& request);

}  // namespace carom::inline beams
