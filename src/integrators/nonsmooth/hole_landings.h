#pragma once

#include "integrators/nonsmooth/contact_system.h"
#include "integrators/nonsmooth/step_stages.h"

namespace carom::inline nonsmooth_integrators {

// Directions of multipliers in round holes. In a hole whose clearance is far smaller than the way of a step the wall
// bends away under any direction chosen beforehand. What is known are the distances of the centres that the step would
// have without multipliers, and how multipliers move them: of all points of the wall the nearest in the metric of
// the masses is where the multiplier acts, and its tangent is what the gap is measured from. For a vanishing clearance
// this is an ideal joint.
template <int D>
class HoleLandings {
 public:
  // Those of the pressed contacts that lie in round holes.
  void find(const std::vector<NonsmoothContact<D>>& pressed, const Bodies<D>& bodies, const ContactSet<D>& contacts,
            ContactSystem<D>& system, KktSolver* constrained);
  bool empty() const { return holes_.empty(); }
  // Turns the directions to where the multipliers land, and measures the gaps from there. True: some have turned
  // noticeably.
  bool aim(const std::vector<double>& multipliers, const ContactSystem<D>& system,
           std::vector<NonsmoothContact<D>>& now, std::vector<NonsmoothContact<D>>& directions);

 private:
  struct Hole {
    int contact = 0;
    NonsmoothClearance<D> clearance;
    VectorOf<D> unloaded = VectorOf<D>::Zero();  // m, distance of the centres without any of the multipliers
    VectorOf<D> multiplier = VectorOf<D>::Zero(), landing = VectorOf<D>::Zero();
  };
  void land();
  auto response(std::size_t i, std::size_t j) const { return response_.block<D, D>(D * i, D * j); }

  std::vector<Hole> holes_;
  std::vector<NonsmoothContact<D>> centres_;  // of these at q̃, with levers to the centres
  Eigen::MatrixXd response_;                  // of the distances of the centres to multipliers
};

extern template class HoleLandings<2>;
extern template class HoleLandings<3>;

}  // namespace carom::inline nonsmooth_integrators
