#include <algorithm>
#include <cmath>

#include "contacts/contact_outputs.h"

// What a ball bearing in the plane reports as a whole.
namespace carom::inline contacts {

std::vector<OutputDescription> bearing_quantities(bool nonsmooth) {
  std::vector<OutputDescription> list;
  if (nonsmooth) {
    list = {{"ix", "N s", "impulse of the balls on the inner race since the last sample, world x"},
            {"iy", "N s", "impulse of the balls on the inner race since the last sample, world y"},
            {"largest_load", "N", "of a ball on the inner race: impulse over the step, no impacts"}};
  } else {
    list = {{"fx", "N", "force of the balls on the inner race, world x"},
            {"fy", "N", "force of the balls on the inner race, world y"},
            {"largest_load", "N", "of a ball on the inner race, normal"}};
  }
  list.push_back({"loaded", "1", "number of balls that touch the inner race"});
  list.push_back({"ex", "m", "centre of the inner race from that of the outer, world x"});
  list.push_back({"ey", "m", "centre of the inner race from that of the outer, world y"});
  list.push_back({"cage_speed", "rad/s", "at which the balls go round the outer race's centre, mean"});
  return list;
}

template <int D>
void ContactOutputs<D>::write_bearing(const BearingGroups& bearing, const Bodies<D>& bodies, double* values) const {
  Vector force = Vector::Zero();
  double largest = 0;
  int loaded = 0;
  for (const int group : bearing.inner) {
    pairs_.for_each_point(group, bodies, [&](const Pair& pair, int k, const ContactPoint<D>& contact) {
      if (nonsmooth_) {
        force -= impulses_.memory(k).recent;
        if (!impulses_.is_closed(k)) return;
        largest = std::max(largest, impulses_.memory(k).force);
        ++loaded;
        return;
      }
      CompliantAction<D> action;
      if (!compliant_.act(pair, k, contact, bodies, action)) return;
      force -= action.force;
      largest = std::max(largest, action.normal);
      ++loaded;
    });
  }
  const Shape<D>&outer = pairs_.shapes()[bearing.outer_race], &inner = pairs_.shapes()[bearing.inner_race];
  const Vector centre = centre_of<D>(outer, bodies[outer.body]);
  const Vector drift = bodies[outer.body].velocity_at(centre - bodies[outer.body].position);
  const Vector apart = centre_of<D>(inner, bodies[inner.body]) - centre;
  double turned = 0;
  for (const int ball : bearing.balls) {
    const Vector arm = bodies[ball].position - centre, way = bodies[ball].velocity - drift;
    turned += (arm[0] * way[1] - arm[1] * way[0]) / arm.squaredNorm();
  }
  for (const double value : {force[0], force[1], largest, static_cast<double>(loaded), apart[0], apart[1],
                             turned / static_cast<double>(bearing.balls.size())}) {
    *values++ = value;
  }
}

template void ContactOutputs<2>::write_bearing(const BearingGroups&, const Bodies<2>&, double*) const;

}  // namespace carom::inline contacts
