#include "integrators/nonsmooth/scheme.h"

namespace carom::inline nonsmooth_integrators {
namespace {

// Moreau's midpoint: contacts are looked for half a step ahead, loads act from there, and positions move after the jump
// with the mean of the velocities at both ends.
template <int D>
class MoreauJean final : public Scheme<D> {
 public:
  explicit MoreauJean(const SolverSettings& settings)
      : Scheme<D>({AlphaCoefficients(settings.rho_infinity), false, true}) {}

  bool move(StepContext<D>& context, SmoothMotion<D>&, StepStart<D>& start, double t_end,
            SmoothState<D>& state) override {
    constexpr int dofs = Space<D>::dofs, rotational_dofs = Space<D>::rotational_dofs;
    BodySystem<D>& system = context.system;
    const AlphaPoint& begin = start.point;
    AlphaPoint& end = state.end;
    end.t = t_end;
    state.travel = start.h * begin.v;
    way_ = 0.5 * state.travel;
    end.q = begin.q;
    system.retract(begin.q.data(), way_.data(), end.q.data());
    system.loads(begin.t + 0.5 * start.h, end.q.data(), begin.v.data(), state.load);
    for (std::size_t b = 0; b < system.inertia().size(); ++b) {
      const BodyInertia<D>& body = system.inertia()[b];
      auto rate = end.acceleration.template segment<dofs>(dofs * b);
      rate.template head<D>() = body.inverse_mass * state.load.template segment<D>(dofs * b);
      rate.template tail<rotational_dofs>() =
          body.inverse_tensor * state.load.template segment<rotational_dofs>(dofs * b + D);
    }
    end.v = begin.v + start.h * end.acceleration;
    state.reaction.setZero();
    end.lambda.setZero();
    return true;
  }

  bool correct(PositionCorrection<D>& correction, const StepStart<D>& start, const SmoothState<D>& smooth,
               CorrectedState<D>& state) override {
    correction.skip(start, smooth, state);
    return true;
  }

  void finish(StepContext<D>& context, const StepStart<D>& start, const JumpedState<D>& jumped,
              CorrectedState<D>& corrected) override {
    BodySystem<D>& system = context.system;
    corrected.correction = 0.5 * start.h * (start.point.v + jumped.v);
    system.retract(start.point.q.data(), corrected.correction.data(), corrected.q.data());
    system.normalise(corrected.q.data());
    system.place(corrected.q.data(), jumped.v.data(), corrected.bodies);
  }

 private:
  Eigen::VectorXd way_;
};

template <int D>
std::unique_ptr<Scheme<D>> make_moreau_jean(const SolverSettings& settings) {
  return std::make_unique<MoreauJean<D>>(settings);
}

}  // namespace

SchemeDescription describe_moreau_jean() {
  return {
      {{.name = "moreau-jean",
        .summary = "Time stepping of Moreau and Jean: contacts are those half a step ahead, loads are explicit, and "
                   "velocities alone are corrected. For comparison: bodies may overlap by what is left of a step "
                   "after an impact.",
        .reference = "Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235–257"},
       true},
      make_moreau_jean<2>,
      make_moreau_jean<3>};
}

}  // namespace carom::inline nonsmooth_integrators
