#include "simulation/run_in_progress.h"
#include "simulation/start.h"

// Dynamics with an integrator that chooses its steps. Contacts push; where they begin and end, a stepper watches over.
namespace carom {
namespace {

std::string with_contact(const std::string& reason, const ContactStepper& stepper) {
  const std::string contact = stepper.busiest_contact();
  if (contact.empty()) return reason;
  return reason + ". The largest contact force acts in " + contact +
         "; a softer contact, another law, bdf, or a coarser tolerance may help";
}

}  // namespace

void RunInProgress::integrate_forces() {
  const auto integrator = make_integrator(*system_, model_.solver);
  summary_.integrator = model_.solver.integrator;
  std::optional<ContactStepper> stepper;
  if (system_->contacts()) {
    stepper.emplace(*system_, model_.solver);
    refuse_overlaps(model_, stepper->start(state_));
    warn(contact_warnings(*system_->contacts(), model_.solver));
  }
  const std::size_t remarks = stepper ? system_->contacts()->contact_remarks().size() : 0;
  follow_forces(*integrator, stepper ? &*stepper : nullptr);
  if (const std::string methods = integrator->methods_used(); !methods.empty()) summary_.integrator += ": " + methods;
  warn(integrator->method_remarks());
  if (!stepper) return;
  // Those that came up on the way.
  const std::vector<std::string>& all = system_->contacts()->contact_remarks();
  for (std::size_t k = remarks; k < all.size(); ++k) warn(all[k]);
  check_depths();
  check_searches();
}

void RunInProgress::follow_forces(Integrator& integrator, ContactStepper* stepper) {
  integrator.start(state_);
  if (!sample(state_, state_.t)) return fail("the equations of motion cannot be solved at the starting point");
  const auto sample_before_events = [this](Integrator& method, double until) { sample_step(method, until); };
  while (state_.t < last_) {
    StepOutcome outcome;
    if (stepper) {
      outcome = stepper->advance(integrator, next_limit(), sample_before_events, events_);
      record_events(*stepper);
    } else {
      outcome = integrator.step(next_limit());
      if (outcome.accepted()) sample_step(integrator, integrator.state().t);
    }
    summary_.statistics = integrator.statistics();
    if (!outcome.accepted()) return fail(stepper ? with_contact(outcome.reason, *stepper) : outcome.reason);
    state_.t = integrator.state().t;
    if (!pass_kink(integrator)) return;
    if (stopped_or_shown(state_.t)) return;
  }
  state_.t = model_.solver.end;
  if (last_sample_ < model_.solver.end) sample(integrator.state(), model_.solver.end);
  if (stepper) {
    stepper->finish(integrator.state(), events_);
    record_events(*stepper);
  }
}

void RunInProgress::sample_step(Integrator& integrator, double until) {
  for (double t = next_output(); t <= until; t = next_output()) {
    integrator.interpolate(t, sample_);
    sample_.t = t;
    sample(sample_, t);
  }
}

void RunInProgress::record_events(const ContactStepper& stepper) {
  summary_.contacts = stepper.statistics();
  for (const ContactEvent& event : events_) recorder_->record_event(event);
  events_.clear();
}

}  // namespace carom
