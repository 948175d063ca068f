#pragma once

#include <vector>

#include "studies/study.h"

// Which values the runs of a study have.
namespace carom::inline studies {

// The value below which the part u of a distribution lies, 0 < u < 1.
double quantile(const Spread& spread, double u);

// The part of a distribution that lies between its bounds; 1 where its numbers are wrong, which is reported elsewhere.
double share_between_bounds(const Spread& spread);

// The points of the sampling, each with a value for every varied parameter. The same study gives the same points,
// whatever the machine:
//   grid             every combination; the last parameter changes fastest
//   list             the k-th values of all parameters together
//   latin-hypercube  one sample in each of `samples` slices of every parameter (McKay, Beckman and Conover,
//                    Technometrics 21 (1979) 239–245)
//   sobol            Sobol' sequence without its first point, a corner; shifted by a random point if the seed is not 0
//   random           independent samples
// A parameter with listed values takes each of them with equal part where samples are drawn.
std::vector<std::vector<double>> sample_points(const Study& study);

// One run of a study.
struct PlannedRun {
  std::size_t model = 0, method = 0, point = 0;
};

// Models are the slowest to change, then methods, then points.
class StudyPlan {
 public:
  explicit StudyPlan(const Study& study);
  std::size_t size() const { return models_ * methods_ * points_.size(); }
  PlannedRun run(std::size_t index) const;
  const std::vector<double>& values(std::size_t index) const { return points_[index % points_.size()]; }

 private:
  std::size_t models_, methods_;
  std::vector<std::vector<double>> points_;
};

}  // namespace carom::inline studies
