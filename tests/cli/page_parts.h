#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Reads what `carom report` and `carom export --vtk` write, by other code than that which wrote it.
namespace carom::cli {

// The text between two marks; empty if there is none.
inline std::string between(const std::string& text, const std::string& begin, const std::string& end,
                           std::size_t from = 0) {
  const std::size_t first = text.find(begin, from);
  if (first == std::string::npos) return "";
  const std::size_t last = text.find(end, first + begin.size());
  return last == std::string::npos ? "" : text.substr(first + begin.size(), last - first - begin.size());
}

inline std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

inline std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == std::string::npos) continue;
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

template <class Number>
std::vector<Number> numbers_at(const std::string& bytes, std::size_t at, std::size_t count) {
  std::vector<Number> numbers(count);
  if (at + count * sizeof(Number) > bytes.size()) throw std::out_of_range("too few bytes");
  if (count > 0) std::memcpy(numbers.data(), bytes.data() + at, count * sizeof(Number));
  return numbers;
}

// Rows of a table as `carom export --csv` writes it, without the head.
inline std::vector<std::vector<double>> csv_rows(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

// A ball that falls on a plane and bounces, in space.
inline const std::string ball = R"toml([model]
name = "Ball"
gravity = [0, 0, -9.81]

[ground]
geometry = [{ shape = "plane", name = "floor" }]

[[body]]
name = "ball"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, 0.3]
velocity = [0.5, 0, 0]
geometry = [{ shape = "sphere", name = "skin", radius = "10 cm" }]

[contact.bounce]
law = "flores"
restitution = 0.7
stiffness = 1e6
friction = { law = "tanh", coefficient = 0.2 }

[[pair]]
name = "bounce"
bodies = ["ground", "ball"]
contact = "bounce"

[solver]
end = 1

[output]
every = 0.002
)toml";

}  // namespace carom::cli
