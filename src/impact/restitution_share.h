#pragma once

// Restitution with friction can gain energy: Newton's law prescribes the normal velocity after an impact, whatever
// friction does to it (Kane and Levinson, Dynamics, 1985: a double pendulum on a rough floor). The impulses Λ of an
// instant change the energy by
//   ½ Λᵀ (γ⁺ + γ⁻),
// with the local velocities γ before and after: what drives and moving walls do is not in it. Without restitution it is
//   Λᵀ γ⁺ − ½ Λᵀ W Λ ≤ 0,
// since an impulse acts only where nothing opens and friction opposes slip. So there is always a share of the
// restitution that gains nothing.
namespace carom::inline impact {

// Looks for the largest share of the restitution of contacts that hang together with which their impact gains no
// energy. The caller solves the problem with factor() times what restitution asks for until settle() is content:
//   do { solve(share.factor()); } while (!share.settle(gain, size));
// Problems that are solved twice must come out the same: friction allows several solutions.
class RestitutionShare {
 public:
  double factor() const { return factor_; }
  // `gain` in J at that factor, infinite where no solution was found; `size`: J, sum of the magnitudes of the works
  // that make up the gain; `unsure`: J, by which the solver may err. A gain within that is left alone, but once
  // restitution is reduced there is to be none. False: solve again with the factor as it is now.
  bool settle(double gain, double size, double unsure = 0);

  bool was_reduced() const { return avoided_ > 0; }
  double avoided() const { return avoided_; }  // J, that all of the restitution would have gained

 private:
  enum class Stage { whole, none, between, last };
  void choose();

  Stage stage_ = Stage::whole;
  double factor_ = 1, avoided_ = 0;
  double low_ = 0, high_ = 1, gain_low_ = 0, gain_high_ = 0;  // without and with gain
  int side_ = 0;                                              // that the last solve moved
  int solves_ = 0;
};

}  // namespace carom::inline impact
