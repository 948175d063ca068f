#pragma once

namespace carom {

// A planar curve; see the coming commit.
class Profile {
 public:
  double bounding_radius() const { return 0; }
};

}  // namespace carom
