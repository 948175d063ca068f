#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "geometry_io/text_words.h"
#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  std::optional<PlyType> count;  // of a list
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  bool ascii = false, big_endian = false;
  std::vector<PlyElement> elements;
};

PlyType type_named(std::string_view name, const TextWords& words) {
  constexpr std::pair<std::string_view, PlyType> names[] = {
      {"char", PlyType::int8},      {"int8", PlyType::int8},       {"uchar", PlyType::uint8},
      {"uint8", PlyType::uint8},    {"short", PlyType::int16},     {"int16", PlyType::int16},
      {"ushort", PlyType::uint16},  {"uint16", PlyType::uint16},   {"int", PlyType::int32},
      {"int32", PlyType::int32},    {"uint", PlyType::uint32},     {"uint32", PlyType::uint32},
      {"float", PlyType::float32},  {"float32", PlyType::float32}, {"double", PlyType::float64},
      {"float64", PlyType::float64}};
  for (const auto& [known, type] : names) {
    if (known == name) return type;
  }
  words.fail(fmt::format("`{}` is no type of PLY", TextWords::shown(name)));
}

std::size_t size_of(PlyType type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<int>(type)];
}

void read_format(TextWords& words, PlyHeader& header) {
  const std::string_view format = words.word();
  if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
    words.fail(fmt::format("`{}` is no format of PLY", TextWords::shown(format)));
  header.ascii = format == "ascii";
  header.big_endian = format == "binary_big_endian";
}

void read_property(TextWords& words, PlyHeader& header) {
  if (header.elements.empty()) words.fail("a property comes before its element");
  PlyProperty property;
  std::string_view type = words.word();
  if (type == "list") {
    property.count = type_named(words.word(), words);
    if (*property.count == PlyType::float32 || *property.count == PlyType::float64)
      words.fail("the length of a list is a whole number");
    type = words.word();
  }
  property.type = type_named(type, words);
  property.name = words.word();
  header.elements.back().properties.push_back(property);
}

PlyHeader read_header(TextWords& words) {
  PlyHeader header;
  bool formatted = false;
  if (!words.next_line() || words.word() != "ply") words.fail("expected `ply`; is this a PLY file?");
  while (words.next_line()) {
    const std::string_view first = words.word();
    if (first == "end_header") {
      if (!formatted) words.fail("the header has no `format`");
      return header;
    }
    if (first == "comment" || first == "obj_info") continue;
    if (first == "format") {
      read_format(words, header);
      formatted = true;
    } else if (first == "element") {
      PlyElement element;
      element.name = words.word();
      const long count = words.integer(words.word());
      if (count < 0) words.fail("an element has a negative number of entries");
      element.count = static_cast<std::size_t>(count);
      header.elements.push_back(element);
    } else if (first == "property") {
      read_property(words, header);
    } else {
      words.fail(fmt::format("found `{}` in the header, expected `element`, `property` or `end_header`",
                             TextWords::shown(first)));
    }
  }
  words.fail("the file ends in its header: it is cut off");
}

// Numbers one after another, from words or bytes.
class PlyNumbers {
 public:
  PlyNumbers(std::string_view bytes, TextWords words, const PlyHeader& header)
      : bytes_(bytes), words_(words), header_(header), at_(words.position()) {}

  double next(PlyType type) {
    if (header_.ascii) {
      const std::string_view word = words_.word_anywhere();
      if (word.empty()) cut_off();
      return words_.number(word);
    }
    const std::size_t size = size_of(type);
    if (size > bytes_.size() - at_) cut_off();
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t place = header_.big_endian ? k : size - 1 - k;
      bits = bits << 8 | static_cast<unsigned char>(bytes_[at_ + place]);
    }
    at_ += size;
    return value_of(bits, type);
  }
  // Fewest bytes that an entry of an element takes; what a file announces must fit into it.
  std::size_t smallest(const PlyElement& element) const {
    std::size_t size = 0;
    for (const PlyProperty& property : element.properties)
      size += header_.ascii ? 2 : size_of(property.count ? *property.count : property.type);
    return std::max<std::size_t>(size, 1);
  }
  std::size_t left() const { return bytes_.size() - std::min(header_.ascii ? words_.position() : at_, bytes_.size()); }
  [[noreturn]] static void cut_off() {
    throw std::invalid_argument("the file ends before all that it announces is there: it is cut off; export it again");
  }

 private:
  static double value_of(std::uint64_t bits, PlyType type) {
    switch (type) {
      case PlyType::int8:
        return static_cast<std::int8_t>(bits);
      case PlyType::int16:
        return static_cast<std::int16_t>(bits);
      case PlyType::int32:
        return static_cast<std::int32_t>(bits);
      case PlyType::float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      case PlyType::float64:
        return std::bit_cast<double>(bits);
      default:
        return static_cast<double>(bits);
    }
  }

  std::string_view bytes_;
  TextWords words_;
  const PlyHeader& header_;
  std::size_t at_;
};

void read_points(const PlyElement& element, PlyNumbers& numbers, TriangleSoup& soup) {
  int place[3] = {-1, -1, -1};
  for (std::size_t k = 0; k < element.properties.size(); ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      if (element.properties[k].name == std::string(1, "xyz"[axis]) && !element.properties[k].count)
        place[axis] = static_cast<int>(k);
    }
  }
  if (place[0] < 0 || place[1] < 0 || place[2] < 0)
    throw std::invalid_argument("the points of the file have no x, y and z; export the part again");
  soup.points.reserve(element.count);
  for (std::size_t entry = 0; entry < element.count; ++entry) {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < element.properties.size(); ++k) {
      const PlyProperty& property = element.properties[k];
      const double first = numbers.next(property.count.value_or(property.type));
      if (property.count) {
        for (double left = first; left > 0; --left) numbers.next(property.type);
      }
      for (int axis = 0; axis < 3; ++axis) {
        if (place[axis] == static_cast<int>(k)) point[axis] = first;
      }
    }
    if (!point.allFinite())
      throw std::invalid_argument(fmt::format("point {} is not finite; export the part again", entry + 1));
    soup.points.push_back(point);
  }
}

void read_faces(const PlyElement& element, PlyNumbers& numbers, TriangleSoup& soup) {
  std::vector<int> corners;
  for (std::size_t entry = 0; entry < element.count; ++entry) {
    for (const PlyProperty& property : element.properties) {
      const double first = numbers.next(property.count.value_or(property.type));
      if (!property.count) continue;
      const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
      if (is_face) corners.clear();
      for (double left = first; left > 0; --left) {
        const double index = numbers.next(property.type);
        if (!is_face) continue;
        if (!(index >= 0) || !(index < static_cast<double>(soup.points.size())) || index != std::floor(index))
          throw std::invalid_argument(fmt::format("face {} names point {}, and there are {}; export the part again",
                                                  entry + 1, index, soup.points.size()));
        corners.push_back(static_cast<int>(index));
      }
      if (!is_face) continue;
      if (corners.size() < 3)
        throw std::invalid_argument(fmt::format("face {} has fewer than three corners", entry + 1));
      cut_polygon(corners, soup.points, soup.triangles);
    }
    if (soup.triangles.size() > most_triangles)
      throw std::invalid_argument(fmt::format(
          "more than {} triangles; reduce the mesh, or export it with a larger chord error", most_triangles));
  }
}

void skip_element(const PlyElement& element, PlyNumbers& numbers) {
  for (std::size_t entry = 0; entry < element.count; ++entry) {
    for (const PlyProperty& property : element.properties) {
      const double first = numbers.next(property.count.value_or(property.type));
      if (!property.count) continue;
      for (double left = first; left > 0; --left) numbers.next(property.type);
    }
  }
}

}  // namespace

TriangleSoup read_ply(std::string_view bytes) {
  TextWords words(bytes);
  const PlyHeader header = read_header(words);
  PlyNumbers numbers(bytes, words, header);
  TriangleSoup soup;
  for (const PlyElement& element : header.elements) {
    if (element.properties.empty()) continue;
    if (element.count > most_triangles && element.name == "face")
      throw std::invalid_argument(
          fmt::format("{} faces, at most {} are read; reduce the mesh, or export it with a larger chord error",
                      element.count, most_triangles));
    if (element.count > numbers.left() / numbers.smallest(element) + 1) PlyNumbers::cut_off();
    if (element.name == "vertex") {
      read_points(element, numbers, soup);
    } else if (element.name == "face") {
      read_faces(element, numbers, soup);
    } else {
      skip_element(element, numbers);
    }
  }
  return soup;
}

}  // namespace carom::inline geometry_io
