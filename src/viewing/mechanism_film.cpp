#include "viewing/mechanism_film.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "joints/joint.h"
#include "plotting/decimate.h"
#include "recording/quantity_label.h"
#include "viewing/mechanism_painter.h"
#include "viewing/quantity_curves.h"

namespace carom::inline viewing {
namespace {

constexpr std::size_t most_pictures = 160;
constexpr std::size_t most_rows = 20000;        // that are looked at for the forces of a picture
constexpr std::size_t most_film_faces = 60000;  // of all pictures: some megabytes
constexpr std::size_t most_magnified = 2;       // joints
constexpr double page_width_points = 860, margin = 18, column_width_points = 250, curve_height = 84;
constexpr int force_color = 1;

// Three significant digits and a prefix: "16.9 kN".
std::string engineering(double value, const std::string& unit) {
  constexpr std::array prefixes = {"n", "µ", "m", "", "k", "M", "G"};
  const double size = std::abs(value);
  const int step = size > 0 ? std::clamp(static_cast<int>(std::floor(std::log10(size * 1.0005) / 3)), -3, 3) : 0;
  return fmt::format("{:.3g} {}{}", value / std::pow(1000, step), prefixes[static_cast<std::size_t>(step + 3)], unit);
}

DrawnShape arrow(const Eigen::Vector2d& from, const Eigen::Vector2d& along, double head) {
  DrawnShape shape;
  shape.stroke = shape.fill = force_color;
  shape.stroke_width = 2;
  shape.kind = DrawnShape::Kind::polygon;
  const double length = along.norm();
  const Eigen::Vector2d unit = along / length, across(-unit.y(), unit.x()), to = from + along;
  head = std::min(head, 0.6 * length);
  for (const Eigen::Vector2d& point :
       {from, Eigen::Vector2d(to - head * unit), Eigen::Vector2d(to - head * unit + 0.4 * head * across), to,
        Eigen::Vector2d(to - head * unit - 0.4 * head * across), Eigen::Vector2d(to - head * unit)}) {
    shape.x.push_back(point.x());
    shape.y.push_back(point.y());
  }
  return shape;
}

DrawnShape circle(const Eigen::Vector2d& center, double radius, int stroke, double width) {
  DrawnShape shape;
  shape.kind = DrawnShape::Kind::circle;
  shape.x = {center.x()};
  shape.y = {center.y()};
  shape.radius = radius;
  shape.stroke = stroke;
  shape.stroke_width = width;
  return shape;
}

/// Pictures of a part of a run and what contacts do meanwhile.
class FilmMaker {
 public:
  FilmMaker(const Viewed& viewed, const ResultReader& result, const FilmChoice& choice)
      : viewed_(viewed),
        result_(result),
        choice_(choice),
        range_(select_samples(viewed.samples->times(), choice.part)),
        samples_(pictures()),
        painter_(viewed, samples_),
        outlook_(outlook_on(viewed.model)) {
    const std::size_t stride = std::max<std::size_t>(1, range_.count() / most_rows);
    rows_ = read_frames(viewed, painter_.layout(), range_.first, range_.last, stride);
    for (std::size_t k = range_.first; k < range_.last; k += stride) row_times_.push_back(viewed.samples->times()[k]);
    for (std::size_t row = 0; row < row_times_.size(); ++row) {
      for (const auto& contact : painter_.layout().contacts) largest_ = std::max(largest_, force(row, contact).norm());
    }
  }

  Film make() {
    Film film{.title = viewed_.model.name.empty() ? viewed_.file : viewed_.model.name, .seconds = choice_.seconds};
    const std::vector<std::size_t> magnified = joints_with_play();
    const bool has_curve = !curve_name().empty();
    const double right = magnified.empty() ? 0 : column_width_points + 2 * margin;
    FilmView mechanism = mechanism_view(page_width_points - 2 * margin - right);
    film.views.push_back(mechanism);
    const double below = mechanism.top + mechanism.height;
    for (std::size_t k = 0; k < magnified.size(); ++k) {
      const double high = (mechanism.height - (static_cast<double>(magnified.size()) - 1) * 2 * margin) /
                          static_cast<double>(magnified.size());
      FilmView view = play_view(painter_.layout().eccentricities[magnified[k]]);
      view.left = page_width_points - margin - column_width_points, view.width = column_width_points;
      view.top = mechanism.top + static_cast<double>(k) * (high + 2 * margin), view.height = high;
      film.views.push_back(std::move(view));
    }
    film.height = below + 36;
    if (has_curve) {
      film.views.push_back(curve_view(below + 2 * margin));
      film.height += curve_height + 2.5 * margin;
    }
    const auto& times = viewed_.samples->times();
    const double span = times[range_.last - 1] - times[range_.first];
    for (std::size_t k = 0; k < samples_.size(); ++k) film.texts.push_back("t = " + engineering(painter_.time(k), "s"));
    film.note =
        span <= 0                       ? ""
        : choice_.seconds > 1.05 * span ? fmt::format("{:.3g} times slower than real time", choice_.seconds / span)
        : choice_.seconds < 0.95 * span ? fmt::format("{:.3g} times faster than real time", span / choice_.seconds)
                                        : "real time";
    film.description = "The mechanism in motion" + std::string(largest_ > 0 ? ", contact forces as arrows" : "");
    return film;
  }

 private:
  std::vector<std::size_t> pictures() const {
    if (range_.count() == 0) throw ResultError(fmt::format("{} holds no samples to draw", viewed_.file));
    std::vector<std::size_t> samples;
    const std::size_t count = std::min(range_.count(), most_pictures);
    for (std::size_t k = 0; k < count; ++k) samples.push_back(range_.first + k * range_.count() / count);
    return samples;
  }

  const float* row(std::size_t index) const { return &rows_[index * painter_.layout().columns.size()]; }

  // On the second body, N; zero where nothing touches.
  Eigen::Vector3d force(std::size_t index, const FrameLayout::Contact& contact) const {
    const float* at = row(index) + contact.place;
    const Eigen::Vector3d force(at[4], at[5], at[6]);
    return at[0] > 0.5F && force.allFinite() ? force : Eigen::Vector3d::Zero();
  }

  // Of the rows until the next picture the one with the largest force.
  std::size_t strongest(std::size_t picture, const FrameLayout::Contact& contact) const {
    const double from = painter_.time(picture),
                 to = picture + 1 < painter_.positions() ? painter_.time(picture + 1) : row_times_.back();
    auto index =
        static_cast<std::size_t>(std::lower_bound(row_times_.begin(), row_times_.end(), from) - row_times_.begin());
    index = std::min(index, row_times_.size() - 1);
    std::size_t best = index;
    for (; index < row_times_.size() && row_times_[index] < to; ++index) {
      if (force(index, contact).squaredNorm() > force(best, contact).squaredNorm()) best = index;
    }
    return best;
  }

  Eigen::Vector2d on_picture(const Eigen::Vector3d& vector) const {
    return {outlook_.right.dot(vector), outlook_.up.dot(vector)};
  }

  // The disc of the size of the areas, about the centre of pressure across the normal.
  DrawnShape patch(const float* contact) const {
    const Eigen::Vector3d centre(contact[1], contact[2], contact[3]), normal(contact[7], contact[8], contact[9]);
    const Eigen::Vector3d one = normal.unitOrthogonal(), two = normal.cross(one);
    const double radius = std::sqrt(contact[10] / M_PI);
    DrawnShape disc;
    disc.kind = DrawnShape::Kind::polygon;
    disc.stroke = disc.fill = force_color, disc.stroke_width = 0.8, disc.opacity = 0.4;
    for (int k = 0; k < 36; ++k) {
      const double angle = M_PI / 18 * k;
      const Eigen::Vector2d at = on_picture(centre + radius * (std::cos(angle) * one + std::sin(angle) * two));
      disc.x.push_back(at.x());
      disc.y.push_back(at.y());
    }
    return disc;
  }

  FilmView mechanism_view(double width) const {
    FilmView view{.left = margin, .top = 2 * margin, .width = width};
    const DrawnShape frame = painter_.frame();
    const auto [x_low, x_high] = std::minmax_element(frame.x.begin(), frame.x.end());
    const auto [y_low, y_high] = std::minmax_element(frame.y.begin(), frame.y.end());
    const double extent = painter_.box().diagonal().norm(), room = 0.05 * extent;
    view.x_low = *x_low - room, view.x_high = *x_high + room, view.y_low = *y_low - room, view.y_high = *y_high + room;
    view.height = std::clamp(width * (view.y_high - view.y_low) / (view.x_high - view.x_low), 220.0, 380.0);
    view.title = viewed_.model.name;
    painter_.draw_ground(view.still);
    for (std::size_t k = 0; k < painter_.positions(); ++k) {
      auto& shapes = view.frames.emplace_back();
      painter_.draw(k, {.line = 1.2, .ground = false, .most_faces = most_film_faces / painter_.positions()}, shapes);
      for (const auto& contact : painter_.layout().contacts) {
        const std::size_t best = strongest(k, contact);
        const Eigen::Vector2d along = 0.22 * extent / std::max(largest_, 1e-300) * on_picture(force(best, contact));
        if (along.norm() < 0.004 * extent) continue;
        const float* at = row(best) + contact.place;
        if (contact.over_area) shapes.push_back(patch(at));
        shapes.push_back(arrow(on_picture({at[1], at[2], at[3]}), along, 0.022 * extent));
      }
    }
    return view;
  }

  // Round ones that were recorded, in the order of the model.
  std::vector<std::size_t> joints_with_play() const {
    std::vector<std::size_t> found;
    const auto& parts = painter_.layout().eccentricities;
    for (std::size_t k = 0; viewed_.model.planar && k < parts.size() && found.size() < most_magnified; ++k) {
      const ElementModel& joint = viewed_.model.joints[parts[k].index];
      const LooseTraits* loose = find_loose(joint.type, true);
      if (joint.clearance && joint.clearance->radial > 0 && loose && !loose->has_straight_walls) found.push_back(k);
    }
    return found;
  }

  // Bearing and journal of a joint in world axes. Their play is true to scale, they themselves are drawn three and two
  // times as large as it, so that a journal touches its bearing in the picture when it does so in the machine.
  FilmView play_view(const FrameLayout::Part& part) const {
    const ElementModel& joint = viewed_.model.joints[part.index];
    const double play = joint.clearance->radial;
    const AttachmentPair pair = attach_pair(viewed_.model, joint.settings);
    const int bearing = pair.at[joint.clearance->bearing_second ? 1 : 0].body;
    FilmView view{.title = fmt::format("joint:{}, radial clearance {}", joint.name, engineering(play, "m")),
                  .x_low = -3.4 * play,
                  .x_high = 3.4 * play,
                  .y_low = -3.4 * play,
                  .y_high = 3.4 * play,
                  .boxed = true};
    DrawnShape wall = circle({0, 0}, 3 * play, color_ink, 2);
    DrawnShape orbit;
    orbit.stroke = 0, orbit.stroke_width = 0.8, orbit.opacity = 0.45;
    const auto contact = std::find_if(painter_.layout().contacts.begin(), painter_.layout().contacts.end(),
                                      [&](const auto& each) { return each.group == "joint:" + joint.name; });
    const auto center = [&](const float* at) {
      const Eigen::Vector3d local(at[part.place], at[part.place + 1], 0);
      return on_picture(pose_of(painter_.layout(), at, bearing).turn * local);
    };
    const std::size_t stride = std::max<std::size_t>(1, row_times_.size() / 1200);
    for (std::size_t k = 0; k < row_times_.size(); k += stride) {
      const Eigen::Vector2d point = center(row(k));
      orbit.x.push_back(point.x());
      orbit.y.push_back(point.y());
    }
    view.still = {wall, orbit};
    for (std::size_t k = 0; k < painter_.positions(); ++k) {
      const Eigen::Vector2d at = center(painter_.row(k));
      DrawnShape journal = circle(at, 2 * play, 0, 1.5);
      journal.fill = 0, journal.opacity = 0.35;
      DrawnShape middle = circle(at, 0, 0, 1);
      middle.marker_size = 5, middle.fill = 0;
      auto& shapes = view.frames.emplace_back(std::vector<DrawnShape>{journal, middle});
      if (contact == painter_.layout().contacts.end()) continue;
      const double side = joint.clearance->bearing_second ? -1 : 1;  // the force on the journal
      const Eigen::Vector2d along =
          2.2 * play / std::max(largest_, 1e-300) * side * on_picture(force(strongest(k, *contact), *contact));
      if (along.norm() > 0.05 * play) shapes.push_back(arrow(at, along, 0.35 * play));
    }
    return view;
  }

  // As asked for, else the normal force of the contact that has the largest.
  std::string curve_name() const {
    if (!choice_.quantity.empty()) return choice_.quantity;
    std::string name;
    double most = 0;
    for (const std::string& quantity : result_.quantities()) {
      if (!quantity.ends_with(".normal_force") && !quantity.ends_with(".peak_force")) continue;
      const std::vector<double> values = result_.column(quantity);
      const double largest = *std::max_element(values.begin(), values.end());
      if (largest > most) most = largest, name = quantity;
    }
    return name;
  }

  FilmView curve_view(double top) const {
    const QuantityCurves curves(result_);
    const std::vector<std::string> names = curves.names(curve_name());
    const QuantityCurve curve = curves.curve(names.front(), true);
    FilmView view{.left = margin,
                  .top = top + 8,
                  .width = page_width_points - 2 * margin,
                  .height = curve_height,
                  .equal_axes = false,
                  .boxed = true};
    const auto& times = viewed_.samples->times();
    view.x_low = times[range_.first], view.x_high = times[range_.last - 1];
    std::vector<PagePoint> points;
    double low = 0, high = 0;
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      if (curve.times[k] < view.x_low || curve.times[k] > view.x_high || !std::isfinite(curve.values[k])) continue;
      points.push_back({curve.times[k], curve.values[k]});
      low = std::min(low, curve.values[k]), high = std::max(high, curve.values[k]);
    }
    const double room = high > low ? 0.06 * (high - low) : 1;
    view.y_low = low - room, view.y_high = high + room;
    view.title = fmt::format("{}, {} to {}", curve.name, engineering(low, curve.unit), engineering(high, curve.unit));
    for (const PageLine& line : decimate_line(points, (view.x_high - view.x_low) / 800)) {
      DrawnShape shape;
      for (const PagePoint& point : line) {
        shape.x.push_back(point.x);
        shape.y.push_back(point.y);
      }
      shape.stroke = force_color, shape.stroke_width = 1;
      view.still.push_back(std::move(shape));
    }
    for (std::size_t k = 0; k < painter_.positions(); ++k) {
      DrawnShape now;
      now.x = {painter_.time(k), painter_.time(k)};
      now.y = {view.y_low, view.y_high};
      now.stroke = color_ink, now.stroke_width = 1.2;
      view.frames.push_back({now});
    }
    return view;
  }

  const Viewed& viewed_;
  const ResultReader& result_;
  const FilmChoice& choice_;
  const recording::SampleRange range_;  // not that of curves.cpp, which is compiled together with this
  const std::vector<std::size_t> samples_;
  const MechanismPainter painter_;
  const Outlook outlook_;
  std::vector<float> rows_;        // of all samples of the part, or so many of them
  std::vector<double> row_times_;  // s
  double largest_ = 0;             // force, N
};

}  // namespace

Film mechanism_film(const Viewed& viewed, const ResultReader& result, const FilmChoice& choice) {
  return FilmMaker(viewed, result, choice).make();
}

}  // namespace carom::inline viewing
