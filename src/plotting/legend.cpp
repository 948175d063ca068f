#include "plotting/legend.h"

#include <algorithm>
#include <cmath>

namespace carom::inline plotting {

namespace {

/// Length of the part of a segment that lies inside a box (Liang and Barsky 1984).
double hidden_length(const PagePoint& a, const PagePoint& b, const Box& box) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  double enter = 0, leave = 1;
  const double steps[4] = {-dx, dx, -dy, dy};
  const double rooms[4] = {a.x - box.x, box.right() - a.x, a.y - box.y, box.bottom() - a.y};
  for (int side = 0; side < 4; ++side) {
    if (steps[side] == 0) {
      if (rooms[side] < 0) return 0;
    } else if (steps[side] < 0) {
      enter = std::max(enter, rooms[side] / steps[side]);
    } else {
      leave = std::min(leave, rooms[side] / steps[side]);
    }
  }
  return enter < leave ? (leave - enter) * std::hypot(dx, dy) : 0;
}

double hidden_length(const std::vector<PageLine>& lines, const Box& box) {
  constexpr double one_point = 4;  // what a single point counts, in points of length
  double length = 0;
  for (const PageLine& line : lines) {
    for (std::size_t i = 1; i < line.size(); ++i) length += hidden_length(line[i - 1], line[i], box);
    if (line.size() == 1) {
      const PagePoint& at = line[0];
      length += at.x >= box.x && at.x <= box.right() && at.y >= box.y && at.y <= box.bottom() ? one_point : 0;
    }
  }
  return length;
}

}  // namespace

void draw_swatch(const Canvas& canvas, const Look& look, const LegendEntry& entry, double x, double y, double width) {
  if (entry.filled) {
    canvas.rectangle({x, y - 0.4 * look.font, width, 0.8 * look.font}, entry.color, 1);
  } else if (entry.style == Series::Style::points) {
    canvas.marker(x + width / 2, y, look.marker * 1.2, entry.color, entry.form);
  } else {
    canvas.polyline({{x, y}, {x + width, y}}, look.line * 1.2, entry.color, entry.strokes);
  }
}

Legend::Legend(const Canvas& canvas, const Look& look, std::vector<LegendEntry> entries)
    : look_(look),
      entries_(std::move(entries)),
      swatch_((look.gray_safe ? 3.2 : 2.2) * look.font),
      row_height_(1.45 * look.font) {
  double widest = 0;
  for (const LegendEntry& entry : entries_) {
    widths_.push_back(canvas.text_width(entry.label, look_.font));
    widest = std::max(widest, widths_.back());
  }
  box_width_ = swatch_ + 3 * look_.gap + widest;
  box_height_ = static_cast<double>(entries_.size()) * row_height_ + look_.gap;
}

void Legend::place(double width, double height, const std::vector<PageLine>& lines) {
  above_ = false;
  rows_.clear();
  if (entries_.empty()) return;
  const double gap = 1.5 * look_.gap;
  const double right = width - box_width_ - gap, bottom = height - box_height_ - gap;
  const double across = (width - box_width_) / 2, down = (height - box_height_) / 2;
  const PagePoint places[] = {{right, gap},  {gap, gap},  {right, bottom}, {gap, bottom},
                              {right, down}, {gap, down}, {across, gap},   {across, bottom}};
  double least = HUGE_VAL;
  for (const PagePoint& place : places) {
    const double cost = hidden_length(lines, {place.x - 2, place.y - 2, box_width_ + 4, box_height_ + 4});
    if (cost < least - 1e-6) {
      least = cost;
      corner_ = place;
    }
  }
  const bool too_large = box_width_ > 0.6 * width || box_height_ > 0.6 * height;
  if (too_large || least > 0.2 * box_width_) {
    above_ = true;
    flow(width);
  }
}

void Legend::flow(double width) {
  double used = width + 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const double needed = swatch_ + look_.gap + widths_[i];
    if (used + needed > width || rows_.empty()) {
      rows_.emplace_back();
      used = 0;
    }
    rows_.back().push_back(i);
    used += needed + 3 * look_.gap;
  }
}

void Legend::draw(const Canvas& canvas, const Box& axes) const {
  const auto draw_entry = [&](std::size_t i, double x, double middle) {
    draw_swatch(canvas, look_, entries_[i], x, middle, swatch_);
    canvas.text(entries_[i].label, x + swatch_ + look_.gap, middle + 0.36 * look_.font, look_.font, Align::left, false,
                ink, axes.right() - (x + swatch_ + look_.gap));
  };
  if (above_) {
    double y = axes.y - height_above() - 0.6 * look_.gap + row_height_ / 2;
    for (const auto& row : rows_) {
      double x = axes.x;
      for (const std::size_t i : row) {
        draw_entry(i, x, y);
        x += swatch_ + 4 * look_.gap + widths_[i];
      }
      y += row_height_;
    }
    return;
  }
  if (entries_.empty()) return;
  const Box box = {axes.x + corner_.x, axes.y + corner_.y, box_width_, box_height_};
  canvas.rectangle(box, {1, 1, 1}, 0.85);
  canvas.frame(box, 0.4, grid);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    draw_entry(i, box.x + look_.gap, box.y + look_.gap / 2 + (static_cast<double>(i) + 0.5) * row_height_);
  }
}

}  // namespace carom::inline plotting
