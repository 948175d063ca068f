#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/jet.h"
#include "model/catalogue.h"
#include "model/description.h"
#include "model/settings.h"

// Blocks: parts of a control that turn inputs into an output, most of them with states of their own.
namespace carom::inline control {

// What sampled blocks do, and when: at start + offset + k · period, k = 0, 1, …
struct Sampling {
  double period = 0;  // s; 0: it is not sampled
  double offset = 0;  // s
};

// Of signals all of whose rates are known.
inline constexpr int all_rates = 100;

// A block with `inputs` inputs u and `states` states z: output y(t, u, z) and rates ż(t, u, z). States are integrated
// with the motion. Those that are held have the rate 0 and change at samples and where the block switches.
class Block {
 public:
  virtual ~Block() = default;
  virtual int states() const { return 0; }
  virtual void initial_states(double* /*states*/) const {}
  // False: the output follows from states and time alone. Such blocks break loops.
  virtual bool feeds_through() const { return true; }
  // Output and rates are sums of inputs and states with constant factors: a network works them out without asking.
  virtual bool is_linear() const { return false; }

  virtual double output(double t, const double* inputs, const double* states) const = 0;
  virtual Jet output(const Jet& t, const Jet* inputs, const Jet* states) const = 0;
  // Further outputs, which signals of type `output` give out; number 0 is the one above.
  virtual int outputs() const { return 1; }
  virtual double output_at(int /*number*/, double t, const double* inputs, const double* states) const {
    return output(t, inputs, states);
  }
  virtual Jet output_at(int /*number*/, const Jet& t, const Jet* inputs, const Jet* states) const {
    return output(t, inputs, states);
  }
  virtual void rates(double t, const double* inputs, const double* states, double* rates) const = 0;
  virtual void rates(const Jet& t, const Jet* inputs, const Jet* states, Jet* rates) const = 0;

  // How many rates of the output are known beside those of the inputs, and how many at most: of a lag the first follows
  // from its input, that of a limiter jumps at its bounds. Whether the output may jump where the inputs do not.
  virtual int added_rates() const { return 0; }
  virtual int most_rates() const { return all_rates; }
  virtual bool jumps() const { return switches() || sampling().period > 0; }

  // s, of blocks that give out what their input was; 0: it does not. And what they give before there was any.
  virtual double delay() const { return 0; }
  virtual double before_start() const { return 0; }

  // Sampled blocks: the instants, and what happens at number k of them.
  virtual Sampling sampling() const { return {}; }
  virtual void sample(long /*k*/, double /*t*/, const double* /*inputs*/, double* /*states*/) const {}

  // Blocks that jump: a number that becomes positive when they must. The states after that.
  virtual bool switches() const { return false; }
  virtual double until_switch(double /*t*/, const double* /*inputs*/, const double* /*states*/) const { return -1; }
  virtual void switch_over(double /*t*/, const double* /*inputs*/, double* /*states*/) const {}
};

// A block whose formulas are written once, for numbers and for numbers with derivatives:
//   template <class Number> Number output_of(const Number& t, const Number* u, const Number* z) const;
//   template <class Number> void rates_of(const Number& t, const Number* u, const Number* z, Number* rates) const;
template <class Own>
class BlockOf : public Block {
 public:
  double output(double t, const double* u, const double* z) const override { return own().output_of(t, u, z); }
  Jet output(const Jet& t, const Jet* u, const Jet* z) const override { return own().output_of(t, u, z); }
  void rates(double t, const double* u, const double* z, double* rates) const override {
    own().rates_of(t, u, z, rates);
  }
  void rates(const Jet& t, const Jet* u, const Jet* z, Jet* rates) const override { own().rates_of(t, u, z, rates); }

  template <class Number>
  void rates_of(const Number&, const Number*, const Number*, Number* rates) const {
    for (int k = 0; k < states(); ++k) rates[k] = Number(0);
  }

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
};

// The dimension of an output against that of the input.
enum class OutputUnit {
  own,     // of its key `unit`, or any
  input,   // that of the input, times that of `gain` where it has one
  seconds  // that of the input times seconds, and times that of `gain`
};

struct BlockDescription : TypeDescription {
  std::vector<std::string> inputs = {};  // keys that are functions of the time and of signals, in their order
  OutputUnit output = OutputUnit::own;
  // Null: the signal is measured, or a formula.
  std::function<std::unique_ptr<Block>(const Settings&)> make = nullptr;
  // Why keys do not fit each other; empty: they do.
  std::function<std::string(const Settings&)> check = nullptr;
  std::string input_list = "";  // a key with any number of inputs, instead of those above; empty: there is none
};

// The catalogue, sorted by name.
const Catalogue<BlockDescription>& block_catalogue();
const BlockDescription* find_block(const std::string& type);
bool add_block(BlockDescription description);  // false: the name is taken

// Types that are no blocks: a quantity of the model (`of`), and an expression (`value`).
inline const std::string measured_type = "measured", formula_type = "formula";
// Whose value events set.
inline const std::string held_type = "held";
// A further output of a block.
inline const std::string output_type = "output";

// Rows of parameter tables.
ParameterDescription input_row(const std::string& name = "input",
                               const std::string& meaning = "the input, a function of t and of signals");
ParameterDescription gain_row();
ParameterDescription initial_row(const std::string& meaning = "output at the start");

}  // namespace carom::inline control
