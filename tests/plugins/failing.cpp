#include <limits>
#include <stdexcept>

#include <carom/plugin.h>

namespace {

// Fails from a time on, in the way that the key says.
class Failing final : public carom::ForceElement {
 public:
  explicit Failing(const carom::KeyValues& keys) : way_(keys.text("way")), from_(keys.number("from")) {}
  carom::ForceAction evaluate(const carom::ForceState& state) const override {
    carom::ForceAction action;
    if (state.time < from_) return action;
    if (way_ == "throw") throw std::runtime_error("out of range");
    if (way_ == "throw_number") throw 42;
    action.other[1].force[0] = std::numeric_limits<double>::quiet_NaN();
    return action;
  }

 private:
  std::string way_;
  double from_;
};

}  // namespace

CAROM_PLUGIN(registry) {
  carom::ForcePart part;
  part.name = "failing";
  part.attachment = carom::Attachment::one_body;
  part.keys = {
      {.name = "way", .kind = carom::KeyKind::choice, .choices = {"throw", "throw_number", "not_finite", "at_start"}},
      {.name = "from", .unit = "s"}};
  part.make = [](const carom::ForceContext& context) {
    if (context.keys.text("way") == "at_start") throw std::invalid_argument("this pair of keys makes no sense");
    return std::make_unique<Failing>(context.keys);
  };
  registry.add(part);
}
