#pragma once

#include <limits>
#include <vector>

#include "contact_geometry/separation.h"
#include "contacts/contact_set.h"

// Which contacts start on a path, and when first: conservative advancement over the pairs of a contact set (see
// docs/theory/contact_detection.md). It knows neither the method nor the forces.
namespace carom::inline contacts {

template <int D>
class StartSearch {
 public:
  // The contacts must outlive it.
  explicit StartSearch(const ContactSet<D>& contacts);

  // The step that is searched from now on.
  void start(const StepMotion& motion, std::size_t bodies);

  // The first start of any pair before `until`, a part of the step. `depth` > 0, m: overlaps deeper than that are
  // found, others may be; the path up to a start is free of them. The readings of all points are those at the start and
  // at the end of the step.
  ContactStart find_first(double depth, double until, const ContactReading* at_start, const ContactReading* at_end);
  // The same for one pair. After so many instants the search settles for a little more depth, and so on; the
  // statistics tell.
  static constexpr long patient = 20000;
  ContactStart search(int pair, double depth, double until, long patience = patient);

  // m, how far a shape goes from its start at the most, and any shape of all bodies.
  double travel(const Shape<D>& shape);
  // m, by which the distance of any two points of two shapes changes at the most, what both do together left out.
  double relative_way(const Shape<D>& a, const Shape<D>& b);
  double largest_travel();
  BodyPath<D>& path() { return path_; }
  // Since this was made.
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  using View = typename ContactSet<D>::PairView;
  // What is known at one instant.
  struct Instant {
    double theta = 0;
    double gap = 0;    // m, least of the free points
    int point = -1;    // whose it is; −1: there is none
    double width = 0;  // m, of the slab, or the gap again
  };

  double travel(int body, double reach);
  bool cannot_meet(const View& view, double gap);
  bool stays_apart(int pair, const View& view, double gap_at_start, double gap_at_end, double depth);
  ContactStart advance(double depth, double until, long patience);
  void place(double theta);
  // Gap and normal of the nearest free point; the slab across it where the pair is convex.
  Instant look(double theta, bool turn_slab);
  double bend() const;
  bool is_clear(const Instant& from, const Instant& to, double floor) const;
  // The same for pairs that bound their distance by themselves, or those of their features that are free; `way`: see
  // GapMotion.
  static bool bounds_parts(const View& view) {
    return (view.touching == 0 ? view.kind->least_between : view.kind->least_between_free) != nullptr;
  }
  void note_closed(int pair, const View& view, const BodyState<D>* bodies);
  bool is_clear_by_parts(int pair, const View& view, double from, double to, double way, double floor);
  double root(double from, double to, double level);
  void note_coarse(double depth);

  // A body that moves, with what its shapes add to its way.
  struct Carrier {
    int body = 0;
    double reach = 0;      // m, largest of its shapes that have an end
    bool endless = false;  // it has one that has none
    bool bounded = false;  // it has one that does
  };

  const ContactSet<D>& contacts_;
  BodyPath<D> path_;
  std::vector<double> sharpness_, reach_;  // 1/m and m, by shape
  std::vector<Carrier> carriers_;          // by body
  std::vector<double> saved_;              // search memory of a pair
  std::vector<ClosedPoint> closed_;        // of a pair that touches, at one instant
  SearchStatistics statistics_;
  double largest_travel_ = -1;  // m, of this step; below zero: not known yet

  // Of the pair that is searched.
  int pair_ = 0;
  View view_;
  bool by_slab_ = false;
  GapKind kind_ = GapKind::own;
  BodyState<D> body_a_, body_b_;
  VectorOf<D> normal_ = VectorOf<D>::UnitX();  // of the nearest point
  Slab<D> slab_;
  const PairBend<D>* bend_ = nullptr;
};

extern template class StartSearch<2>;
extern template class StartSearch<3>;

}  // namespace carom::inline contacts
