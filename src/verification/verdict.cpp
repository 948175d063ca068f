#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "verification/judgement.h"

// Judgements in words.
namespace carom::inline verification {
namespace {

constexpr int shown_digits = 4;         // of answers that do not hold
constexpr double largest_spread = 0.5;  // over the runs, of a statistic that says something
constexpr double all_digits = 1e-12;    // difference of methods that is rounding
constexpr int most_written_out = 7;     // digits before the point; larger numbers are powers of ten

std::string shown(double value, const ModelAnswer& answer) {
  if (answer.is_count && std::isfinite(value)) return fmt::format("{:.0f}", value);
  return value_text(value, answer.unit, shown_digits);
}

double reading(const Readings& readings, Role role) {
  return of_role(readings, role).value;
}

std::string other_name(ContactMethod method) {
  return carom::name_of(method == ContactMethod::compliant ? ContactMethod::nonsmooth : ContactMethod::compliant);
}

// What the other method says, after a verdict that is not about it.
std::string remark_on_method(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                             const Circumstances& all) {
  if (!all.other_method_ran) return "";
  const std::string other = other_name(all.method);
  if (!judgement.method) return fmt::format("; {} does not report it", other);
  if (!answer.is_count && *judgement.method < all_digits) return fmt::format("; {} says the same", other);
  if (*judgement.method <= methods_within)
    return answer.is_count ? fmt::format("; {} the same", other)
                           : fmt::format("; {} agrees within {}", other, share_text(*judgement.method));
  const std::string said = fmt::format("; {} {}", other, shown(by_other_method(readings), answer));
  if (!all.other_method_poor.empty()) return said + ", not to be compared: " + all.other_method_poor;
  return 2 * judgement.method_change < *judgement.method || answer.is_count
             ? said
             : said + ", itself uncertain by " + share_text(judgement.method_change);
}

std::string holds_text(const ModelAnswer& answer, const Judgement& judgement) {
  if (answer.is_count) return "the same in all runs";
  if (judgement.digits >= most_digits) return fmt::format("holds to {} digits or more", most_digits);
  return fmt::format("holds to {} digits", judgement.digits);
}

std::string listed(const ModelAnswer& answer, const Readings& readings) {
  std::string text;
  for (const Role role : {Role::model, Role::finer, Role::finest, Role::other_integrator}) {
    const double value = reading(readings, role);
    if (std::isfinite(value)) text += (text.empty() ? "" : ", ") + shown(value, answer);
  }
  return text;
}

std::string refinement_text(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                            const Circumstances& all) {
  const std::string what = name_of(all.refinement);
  if (answer.is_count) return fmt::format("depends on the {}: {}", what, listed(answer, readings));
  const std::string when = all.refinement == Refinement::tolerance ? "at a tenth of it"
                           : all.refinement == Refinement::step    ? "at half the step"
                                                                   : "with twice as many";
  std::string text = fmt::format("depends on the {}: {} {}", what, share_text(judgement.change), when);
  if (judgement.error > 2 * judgement.change * judgement.scale)
    text += fmt::format(", {} in all", share_text(judgement.error / judgement.scale));
  if (judgement.order) text += fmt::format(", order {:.1f}", *judgement.order);
  if (judgement.estimate) text += fmt::format("; estimate {}", shown(*judgement.estimate, answer));
  return text;
}

std::string method_verdict(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                           const Circumstances& all) {
  const double own = reading(readings, Role::model);
  return fmt::format(
      "depends on the method: {} {}, {} {}{}", carom::name_of(all.method), shown(own, answer), other_name(all.method),
      shown(by_other_method(readings), answer),
      answer.is_count ? "" : fmt::format("; {} to {} digits", carom::name_of(all.method), judgement.digits));
}

std::string chaotic_text(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                         const Circumstances& all) {
  std::string text = "chaotic: " + all.parting;
  if (answer.is_count || judgement.statistics.empty()) return text + "; " + listed(answer, readings);
  const char* before = "; only statistics hold: ";
  for (const Statistic& each : judgement.statistics) {
    if (!(each.spread <= largest_spread * std::abs(each.value))) continue;
    text += before + fmt::format("{} {}", each.name, shown(each.value, answer));
    if (each.value != 0) text += fmt::format(" ± {}", share_text(each.spread / std::abs(each.value)));
    before = ", ";
  }
  return std::string(before) == ", " ? text : text + "; a run of this length has no statistics that hold either";
}

}  // namespace

std::string value_text(double value, const std::string& unit, int digits) {
  if (!std::isfinite(value)) return "–";
  const int kept = std::clamp(digits, 1, most_digits);
  const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  const bool written_out = magnitude >= -5 && magnitude < most_written_out;
  const std::string number = value == 0    ? "0"
                             : written_out ? fmt::format("{:.{}f}", value, std::max(0, kept - 1 - magnitude))
                                           : fmt::format("{:.{}e}", value, kept - 1);
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

std::string held_text(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement) {
  const double value = of_role(readings, Role::model).value;
  const bool holds = judgement.standing == Standing::holds || judgement.standing == Standing::method;
  const auto magnitude = [](double number) { return static_cast<int>(std::floor(std::log10(std::abs(number)))); };
  std::string text;
  if (answer.is_count || !holds || value == 0) {
    text = shown(value, answer);
  } else {
    const int digits = judgement.digits - magnitude(judgement.scale) + magnitude(value);
    text = digits > 0 ? value_text(value, answer.unit, digits) : value_text(0, answer.unit, 2);
  }
  return answer.part.empty() ? text : answer.part + " " + text;
}

std::string share_text(double share) {
  const double percent = 100 * share;
  if (!std::isfinite(percent)) return "–";
  if (percent == 0) return "0 %";
  if (percent >= 1000) return fmt::format("{:.0f} times as much", share);
  if (percent >= 99.5) return fmt::format("{:.0f} %", percent);
  return percent < 0.01 ? fmt::format("{:.1e}", share) : fmt::format("{:.2g} %", percent);
}

std::string verdict(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                    const Circumstances& all) {
  const std::string remark = remark_on_method(answer, readings, judgement, all);
  switch (judgement.standing) {
    case Standing::holds:
      return holds_text(answer, judgement) + remark;
    case Standing::samples:
      return fmt::format("depends on the interval of samples: {} lies between them; give a smaller output.every",
                         share_text(judgement.sampling)) +
             remark;
    case Standing::refinement:
      return refinement_text(answer, readings, judgement, all) + remark;
    case Standing::integrator:
      return fmt::format("depends on the integrator: {} says {}", all.other_integrator,
                         shown(reading(readings, Role::other_integrator), answer)) +
             remark;
    case Standing::start:
      return fmt::format("depends on the start: {} from beside it",
                         shown(reading(readings, Role::other_start), answer));
    case Standing::method:
      return method_verdict(answer, readings, judgement, all);
    case Standing::chaotic:
      return chaotic_text(answer, readings, judgement, all);
    default:
      return std::isfinite(reading(readings, Role::model)) ? "no other run tells it" : "not reported by this method";
  }
}

}  // namespace carom::inline verification
