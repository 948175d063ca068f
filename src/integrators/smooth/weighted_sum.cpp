#include "integrators/smooth/weighted_sum.h"

#include "base/hot_kernel.h"
#include "base/packed.h"

namespace carom::inline smooth_integrators {
namespace {

template <class... Term>
[[gnu::always_inline]] inline void add_up(int count, double* out, Term... of) {
  int k = 0;
  for (; k + packed_width <= count; k += packed_width)
    *reinterpret_cast<Packed*>(out + k) = (... + (of.factor * *reinterpret_cast<const Packed*>(of.numbers + k)));
  for (; k < count; ++k) out[k] = (... + (of.factor * of.numbers[k]));
}

}  // namespace

CAROM_HOT_KERNEL void weighted_sum(int count, const Weighted (&a)[2], double* out) {
  add_up(count, out, a[0], a[1]);
}
CAROM_HOT_KERNEL void weighted_sum(int count, const Weighted (&a)[3], double* out) {
  add_up(count, out, a[0], a[1], a[2]);
}
CAROM_HOT_KERNEL void weighted_sum(int count, const Weighted (&a)[4], double* out) {
  add_up(count, out, a[0], a[1], a[2], a[3]);
}
CAROM_HOT_KERNEL void weighted_sum(int count, const Weighted (&a)[5], double* out) {
  add_up(count, out, a[0], a[1], a[2], a[3], a[4]);
}
CAROM_HOT_KERNEL void weighted_sum(int count, const Weighted (&a)[6], double* out) {
  add_up(count, out, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}  // namespace carom::inline smooth_integrators
