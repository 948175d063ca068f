#include "model/contact_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace carom::inline model {
namespace {

constexpr std::string_view point_mark = " point ", shapes_mark = " (", between_shapes = " on ", cut_mark = "…";

std::string_view trim_point(std::string_view name) {
  const std::size_t mark = name.rfind(point_mark);
  if (mark == std::string_view::npos) return name;
  const std::string_view number = name.substr(mark + point_mark.size());
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789/*?") == std::string_view::npos;
  return is_number || number.ends_with(cut_mark) ? name.substr(0, mark) : name;
}

// Names of pairs may hold brackets, too, but shapes are two.
std::string_view trim_shapes(std::string_view name) {
  const bool cut = name.ends_with(cut_mark);
  if (!name.ends_with(')') && !cut) return name;
  for (std::size_t mark = name.rfind(shapes_mark); mark != std::string_view::npos && mark > 0;
       mark = name.rfind(shapes_mark, mark - 1)) {
    if (cut || name.find(between_shapes, mark) != std::string_view::npos) return name.substr(0, mark);
  }
  return name;
}

}  // namespace

std::string shapes_in_name(const std::string& first, const std::string& second) {
  return fmt::format("{}{}{}{})", shapes_mark, first, between_shapes, second);
}

std::string point_in_name(int point) {
  return fmt::format("{}{}", point_mark, point);
}

std::string features_in_name(std::uint64_t first, std::uint64_t second) {
  return fmt::format("{}{}/{}", point_mark, first, second);
}

std::string without_point(std::string_view contact) {
  return std::string(trim_point(contact));
}

std::string contact_group(std::string_view contact) {
  return std::string(trim_shapes(trim_point(contact)));
}

bool belongs_to(std::string_view contact, std::string_view asked) {
  const std::string_view shapes = trim_point(contact), group = trim_shapes(shapes);
  if (matches_pattern(contact, asked) || matches_pattern(shapes, asked) || matches_pattern(group, asked)) return true;
  return contact.ends_with(cut_mark) && asked.starts_with(contact.substr(0, contact.size() - cut_mark.size()));
}

bool belongs_to_any(std::string_view contact, const std::vector<std::string>& asked) {
  return asked.empty() ||
         std::any_of(asked.begin(), asked.end(), [&](const std::string& each) { return belongs_to(contact, each); });
}

}  // namespace carom::inline model
