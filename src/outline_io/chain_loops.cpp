#include "outline_io/chain_loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace carom::inline outline_io {

namespace {

// Ends of lines by cells of a grid.
class LineEnds {
 public:
  LineEnds(const std::vector<OutlineLoop>& lines, double near) : near_(near) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      add({k, false, lines[k].front().start()});
      add({k, true, lines[k].back().end()});
    }
  }
  struct End {
    std::size_t line;
    bool last;
    Eigen::Vector2d place;
  };
  // The only other free end at this place; throws where there are several, null where there is none.
  const End* partner(const End& own, const std::vector<bool>& used) const {
    const End* found = nullptr;
    const auto [x, y] = cell(own.place);
    for (const long dx : {-1, 0, 1}) {
      for (const long dy : {-1, 0, 1}) {
        const auto range = ends_.equal_range({x + dx, y + dy});
        for (auto each = range.first; each != range.second; ++each) {
          const End& end = each->second;
          if ((end.line == own.line && end.last == own.last) || used[end.line] ||
              (end.place - own.place).norm() > near_)
            continue;
          if (found) {
            throw std::invalid_argument(
                fmt::format("more than two lines meet at ({:.6g}, {:.6g}); leave out what is no part of the outline",
                            own.place.x(), own.place.y()));
          }
          found = &end;
        }
      }
    }
    return found;
  }

 private:
  std::pair<long, long> cell(const Eigen::Vector2d& place) const {
    return {static_cast<long>(std::floor(place.x() / (2 * near_))),
            static_cast<long>(std::floor(place.y() / (2 * near_)))};
  }
  void add(const End& end) { ends_.emplace(cell(end.place), end); }

  double near_;
  std::multimap<std::pair<long, long>, End> ends_;
};

// Farther away, what is near has no meaning any more.
void require_near(const Eigen::Vector2d& end) {
  constexpr double farthest_end = 1e4;  // m
  if ((end.array().abs() <= farthest_end).all()) return;
  throw std::invalid_argument(fmt::format(
      "a line ends at ({:.6g}, {:.6g}) m, farther than {:g} m from the origin; check the unit of the drawing", end.x(),
      end.y(), farthest_end));
}

OutlineLoop reversed_line(const OutlineLoop& line) {
  OutlineLoop result;
  for (std::size_t k = line.size(); k-- > 0;) result.push_back(line[k].reversed());
  return result;
}

}  // namespace

std::vector<OutlineLoop> chain_loops(std::vector<OutlineLoop> lines, double near) {
  std::erase_if(lines, [](const OutlineLoop& line) { return line.empty(); });
  for (const OutlineLoop& line : lines) {
    for (const Eigen::Vector2d& end : {line.front().start(), line.back().end()}) require_near(end);
  }
  const LineEnds ends(lines, near);
  std::vector<bool> used(lines.size(), false);
  std::vector<OutlineLoop> loops;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (used[first]) continue;
    used[first] = true;
    OutlineLoop loop = lines[first];
    const Eigen::Vector2d start = loop.front().start();
    std::size_t line = first;
    bool at_last = true;
    while ((loop.back().end() - start).norm() > near) {
      const Eigen::Vector2d here = loop.back().end();
      const LineEnds::End* next = ends.partner({line, at_last, here}, used);
      if (!next) {
        throw std::invalid_argument(
            fmt::format("a line ends at ({:.6g}, {:.6g}) where no other begins; an outline is closed: join its ends",
                        here.x(), here.y()));
      }
      used[next->line] = true;
      const OutlineLoop more = next->last ? reversed_line(lines[next->line]) : lines[next->line];
      loop.insert(loop.end(), more.begin(), more.end());
      line = next->line, at_last = !next->last;
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace carom::inline outline_io
