#include "contact_geometry/broad_phase.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/problem.h"
#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t most_candidates = 10'000'000;  // of about 200 bytes each, with what contacts add

// By a table for the kinds that code names, which come first.
template <int D>
bool have_a_pair(ShapeKind one, ShapeKind two) {
  constexpr std::size_t named = 16;
  static const auto table = [] {
    std::array<std::array<bool, named>, named> known{};
    for (const auto& pair : pair_catalogue<D>()) {
      const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
      if (std::max(a, b) < named) known[a][b] = known[b][a] = true;
    }
    return known;
  }();
  const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(two);
  if (std::max(a, b) < named) return table[a][b];
  return find_pair<D>(one, two) || find_pair<D>(two, one);
}

// The bucket of a cell comes from one part for each axis, which neighbours share.
inline std::uint64_t part_of_hash(std::int64_t along, int axis) {
  constexpr std::uint64_t primes[3] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u};
  return static_cast<std::uint64_t>(along) * primes[axis];
}
inline std::size_t bucket_of_hash(std::uint64_t hash, std::size_t starts) {
  hash ^= hash >> 32;
  return hash & (starts - 2);
}

// The cell itself, and of each two neighbours that are opposite the later one.
template <int D>
constexpr auto forward_steps() {
  constexpr int around = D == 2 ? 9 : 27;
  std::array<std::array<int, 3>, around / 2 + 1> steps{};
  for (int k = 0; k <= around / 2; ++k) {
    int rest = around / 2 + k;
    for (int axis = D - 1; axis >= 0; --axis, rest /= 3) steps[k][axis] = rest % 3;
  }
  return steps;
}

// Most shapes lie about the mass centres of their bodies.
template <int D>
VectorOf<D> bounding_centre(const Shape<D>& shape, const BodyState<D>& body) {
  return shape.position.isZero(0) ? body.position : centre_of<D>(shape, body);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

template <int D>
BroadPhase<D>::BroadPhase(std::vector<Shape<D>> shapes, double skin, Filter allowed)
    : shapes_(std::move(shapes)), skin_(skin), list_skin_(skin), allowed_(std::move(allowed)) {
  std::vector<double> finite;
  for (const Shape<D>& shape : shapes_) {
    radii_.push_back(shape.bounding_radius());
    if (std::isfinite(radii_.back())) finite.push_back(radii_.back());
  }
  const double limit = 2 * median(std::move(finite));
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    const bool fits = radii_[k] <= limit;
    (fits ? small_ : large_).push_back(static_cast<int>(k));
    if (fits) widest_ = std::max(widest_, radii_[k]);
  }
  centres_.resize(shapes_.size());
  normals_.resize(shapes_.size());
  cells_.resize(shapes_.size());
  members_.resize(small_.size());
  bucket_starts_.resize(std::bit_ceil(2 * small_.size() + 1) + 1);
  offsets_.resize(shapes_.size() + 1);
}

template <int D>
double BroadPhase<D>::moved(const Bodies<D>& bodies) const {
  if (!placed_) return infinite;
  double square = 0;
  for (const int k : small_) {
    const double step = (bounding_centre<D>(shapes_[k], bodies[shapes_[k].body]) - centres_[k]).squaredNorm();
    // Written so that positions which are not numbers count as far away.
    if (!(step <= square)) square = std::isnan(step) ? infinite : step;
  }
  double farthest = std::sqrt(square);
  for (const int k : large_) {
    const Shape<D>& shape = shapes_[k];
    const BodyState<D>& body = bodies[shape.body];
    double step = (centre_of<D>(shape, body) - centres_[k]).norm();
    if (shape.kind == ShapeKind::plane) step += reach_ * (plane_normal<D>(shape, body) - normals_[k]).norm();
    if (!(step <= farthest)) farthest = std::isnan(step) ? infinite : step;
  }
  return farthest;
}

template <int D>
bool BroadPhase<D>::update_after(double moved, const Bodies<D>& bodies, double margin) {
  if (moved + margin <= skin_ / 2 && list_skin_ <= skin_) return false;
  rebuild(bodies, skin_);
  return true;
}

template <int D>
bool BroadPhase<D>::cover(const Bodies<D>& bodies, double travel) {
  if (moved(bodies) + travel <= list_skin_ / 2) return false;
  rebuild(bodies, skin_ + 2 * travel);
  return true;
}

template <int D>
void BroadPhase<D>::rebuild(const Bodies<D>& bodies, double skin) {
  list_skin_ = skin;
  cell_size_ = 2 * widest_ + skin;
  tests_ = 0;
  found_.clear();
  place(bodies);
  fill_grid();
  test_neighbours();
  test_large();
  sort_candidates();
}

template <int D>
void BroadPhase<D>::place(const Bodies<D>& bodies) {
  VectorOf<D> low = VectorOf<D>::Constant(infinite), high = -low;
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    const Shape<D>& shape = shapes_[k];
    centres_[k] = bounding_centre<D>(shape, bodies[shape.body]);
    if (shape.kind == ShapeKind::plane) normals_[k] = plane_normal<D>(shape, bodies[shape.body]);
    const double radius = std::isfinite(radii_[k]) ? radii_[k] : 0;
    low = low.cwiseMin(centres_[k] - VectorOf<D>::Constant(radius + list_skin_));
    high = high.cwiseMax(centres_[k] + VectorOf<D>::Constant(radius + list_skin_));
  }
  reach_ = shapes_.empty() ? 0 : (high - low).norm();
  placed_ = true;
}

template <int D>
typename BroadPhase<D>::Cell BroadPhase<D>::cell_of(const VectorOf<D>& centre) const {
  Cell cell;
  for (int axis = 0; axis < D; ++axis) {
    // Positions beyond all use, or not numbers, must still have a cell.
    const double where = std::floor(centre[axis] / cell_size_);
    cell[axis] = std::abs(where) < 1e15 ? static_cast<std::int64_t>(where) : 0;
  }
  return cell;
}

template <int D>
std::size_t BroadPhase<D>::bucket_of(const Cell& cell) const {
  std::uint64_t hash = 0;
  for (int axis = 0; axis < D; ++axis) hash ^= part_of_hash(cell[axis], axis);
  return bucket_of_hash(hash, bucket_starts_.size());
}

// Counting sort: bucket b holds members_[bucket_starts_[b]] up to bucket_starts_[b + 1], in the order of the shapes.
template <int D>
void BroadPhase<D>::fill_grid() {
  std::fill(bucket_starts_.begin(), bucket_starts_.end(), 0);
  for (const int k : small_) {
    cells_[k] = cell_of(centres_[k]);
    ++bucket_starts_[bucket_of(cells_[k]) + 1];
  }
  for (std::size_t b = 1; b < bucket_starts_.size(); ++b) bucket_starts_[b] += bucket_starts_[b - 1];
  for (std::size_t i = small_.size(); i-- > 0;) {
    const int k = small_[i];
    members_[--bucket_starts_[bucket_of(cells_[k]) + 1]] = k;
  }
  // Every entry is now the start of the bucket before it.
  std::shift_left(bucket_starts_.begin(), bucket_starts_.end(), 1);
  bucket_starts_.back() = small_.size();
}

// Of two neighbouring cells one looks at the other; steps along the axes are counted from 0, one back.
template <int D>
void BroadPhase<D>::test_neighbours() {
  constexpr auto forward = forward_steps<D>();
  const std::size_t starts = bucket_starts_.size();
  for (const int k : small_) {
    const Cell& own = cells_[k];
    std::uint64_t parts[3][3] = {};
    for (int axis = 0; axis < D; ++axis) {
      for (int step = 0; step < 3; ++step) parts[axis][step] = part_of_hash(own[axis] + step - 1, axis);
    }
    int from = k;  // in its own cell, those behind it
    for (const auto& steps : forward) {
      const std::uint64_t hash = parts[0][steps[0]] ^ parts[1][steps[1]] ^ parts[2][steps[2]];
      const std::size_t bucket = bucket_of_hash(hash, starts);
      for (std::size_t i = bucket_starts_[bucket]; i < bucket_starts_[bucket + 1]; ++i) {
        const int other = members_[i];
        // Different cells may share a bucket.
        bool same = other > from;
        for (int axis = 0; axis < D; ++axis) same = same && cells_[other][axis] == own[axis] + steps[axis] - 1;
        if (same) test(std::min(k, other), std::max(k, other));
      }
      from = -1;
    }
  }
}

template <int D>
void BroadPhase<D>::test_large() {
  for (std::size_t i = 0; i < large_.size(); ++i) {
    for (const int k : small_) test(std::min(large_[i], k), std::max(large_[i], k));
    for (std::size_t j = i + 1; j < large_.size(); ++j) test(large_[i], large_[j]);
  }
}

// Distance of the bounding spheres, of a sphere and a half space; slots are near everything.
template <int D>
double BroadPhase<D>::separation(int one, int two) const {
  for (const auto& [plane, other] : {std::pair{one, two}, std::pair{two, one}}) {
    if (shapes_[plane].kind == ShapeKind::plane && std::isfinite(radii_[other])) {
      return normals_[plane].dot(centres_[other] - centres_[plane]) - radii_[other];
    }
  }
  if (!std::isfinite(radii_[one] + radii_[two])) return -infinite;
  return (centres_[one] - centres_[two]).norm() - radii_[one] - radii_[two];
}

template <int D>
void BroadPhase<D>::test(int one, int two) {
  const Shape<D>&a = shapes_[one], &b = shapes_[two];
  if (a.body == b.body) return;
  ++tests_;
  if (!(separation(one, two) < list_skin_) || !have_a_pair<D>(a.kind, b.kind)) return;
  if (allowed_ && !allowed_(a, b)) return;
  if (found_.size() >= most_candidates)
    throw ComputationError(
        fmt::format("more than {} pairs of shapes are near each other, which would take gigabytes of memory: are "
                    "bodies put into one "
                    "place? Move them apart, or name the pairs that may touch",
                    most_candidates));
  found_.push_back({one, two});
}

// By a in one pass of counting, then by b within the few of each a.
template <int D>
void BroadPhase<D>::sort_candidates() {
  std::swap(candidates_, previous_);
  candidates_.resize(found_.size());
  std::fill(offsets_.begin(), offsets_.end(), 0);
  for (const Candidate& pair : found_) ++offsets_[pair.a + 1];
  for (std::size_t k = 1; k < offsets_.size(); ++k) offsets_[k] += offsets_[k - 1];
  for (const Candidate& pair : found_) candidates_[offsets_[pair.a]++] = pair;
  const auto by_second = [](const Candidate& one, const Candidate& two) { return one.b < two.b; };
  for (std::size_t k = 0, first = 0; k + 1 < offsets_.size(); first = offsets_[k], ++k) {
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(offsets_[k]);
    if (!std::is_sorted(begin, end, by_second)) std::sort(begin, end, by_second);
  }
}

template class BroadPhase<2>;
template class BroadPhase<3>;

}  // namespace carom::inline contact_geometry
