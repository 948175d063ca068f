#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// How contacts are called, in events and results, and who is meant by a name: reported here and nowhere else.
//
// A name begins with the group, "joint:pin" or "contact:ball-floor". Where a group has several pairs of shapes, these
// follow, and where a pair has several points, the point: "contact:ball-floor (ball.skin on floor.s1) point 3".
namespace carom::inline model {

// What a name goes on with after its group: " (ball.skin on floor.s1)"; " point 3"; " point 2/5", of two features.
std::string shapes_in_name(const std::string& first, const std::string& second);
std::string point_in_name(int point);
std::string features_in_name(std::uint64_t first, std::uint64_t second);

// The name without its point; and the part of it that names a [[pair]] or a joint.
std::string without_point(std::string_view contact);
std::string contact_group(std::string_view contact);

// Whether a contact belongs to what was asked for: a group means all its shapes and points, a pair of shapes all its
// points, a full name itself. Patterns with * and ? may stand for each of them. A name that was too long for a result
// file, and ends in "…", belongs to what it is the beginning of.
bool belongs_to(std::string_view contact, std::string_view asked);

// Whether it belongs to one of them; without any, all do.
bool belongs_to_any(std::string_view contact, const std::vector<std::string>& asked);

}  // namespace carom::inline model
