#pragma once

namespace carom::inline smooth_integrators {

// A vector and its factor in a sum.
struct Weighted {
  double factor = 0;
  const double* numbers = nullptr;
};

// out = Σ factor · vector over `count` numbers, added up from the first term to the last.
void weighted_sum(int count, const Weighted (&terms)[2], double* out);
void weighted_sum(int count, const Weighted (&terms)[3], double* out);
void weighted_sum(int count, const Weighted (&terms)[4], double* out);
void weighted_sum(int count, const Weighted (&terms)[5], double* out);
void weighted_sum(int count, const Weighted (&terms)[6], double* out);

}  // namespace carom::inline smooth_integrators
