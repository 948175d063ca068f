#pragma once

#include "integrators/nonsmooth/step_stages.h"

namespace carom::inline nonsmooth_integrators {

// After the stages of a step: what it leaves of its contacts. Their memory, the books of sliding, and the impacts with
// all that the force behind an impulse is recovered from.
template <int D>
class ContactBooks {
 public:
  ContactBooks(StepContext<D>& context, const StepStart<D>& start, const SmoothState<D>& smooth,
               const CorrectedState<D>& corrected, const JumpedState<D>& jumped);

  // Work of contacts in the step, by group: of impulses, and of corrections against gravity; adds it to the works of
  // the state.
  void add_work(std::vector<double>& by_group) const;
  // Notes all closed contacts, and appends impacts. True: there were some.
  bool note(double t_end, std::vector<ImpactEvent>& events) const;

  // Contacts that are closed and neither approach nor part: at the start of a run, and at the end of a step.
  void find_resting(StepStart<D>& start) const;
  void keep_resting(bool impacts, StepStart<D>& start) const;

 private:
  const ContactNote<D>& note_of(int closed) const { return jumped_.notes[closed]; }
  const NonsmoothLaw& law_of(int closed) const {
    return context_.contacts.nonsmooth_law(corrected_.closed[closed].law);
  }
  bool is_squeezed(const ContactNote<D>& note) const { return note.squeeze > 0 && note.backing >= 0; }
  bool is_impact(int closed) const;
  bool keeps_direction(const NonsmoothContact<D>& contact) const;
  bool passes_on(const ContactNote<D>& note, double borne, double largest_impact) const;
  static bool was_closed(const NonsmoothMemory<D>& memory, long last);
  bool starts_behind(const ContactNote<D>& note, long last) const;
  double impact_speed(int closed) const;
  double impact_mass(int closed) const;
  double impact_load(int closed, double mass, double speed) const;
  // What a contact bore in this step, as far as it is no impact.
  struct Share {
    double transmitted = 0, tangential = 0;  // N s
    bool impact = false, passed_on = false;
  };
  Share remember(int closed, long last, double largest_impact) const;
  void note_depth(int closed) const;
  ImpactEvent event_of(int closed, double t_end, const Share& share) const;

  StepContext<D>& context_;
  const StepStart<D>& start_;
  const SmoothState<D>& smooth_;
  const CorrectedState<D>& corrected_;
  const JumpedState<D>& jumped_;
  std::vector<bool> isotropic_;  // by body, the ground first: to torques in all directions
};

extern template class ContactBooks<2>;
extern template class ContactBooks<3>;

}  // namespace carom::inline nonsmooth_integrators
