// Slider-crank with one, two or three loose joints, in minimal coordinates, integrated to convergence: converged.csv of
// the cases clearance_study_*. Nothing of Carom is used:
//
//   g++ -O2 -std=c++20 tools/references/clearance_study.cpp -o clearance_study && ./clearance_study cases [CASE…]
//
// The crank turns at constant speed. Coordinates are the middle and the angle of the rod, the slider, and the middle of
// the crank where its bearing is loose; ideal joints are eliminated by hand. A loose joint pushes by the force of
// Lankarani and Nikravesh on Hertz's contact of spheres, with friction that ramps up between two speeds of slip. Touch
// and release are located, and each step is extrapolated from midpoint rules (Gragg, Bulirsch, Stoer) to order 12.
//
// Every motion is integrated with two tolerances. The table ends where the two differ by more than a millionth of the
// largest magnitude of a column: that is how far the motion is known. Four motions are first compared with tables of
// the same mechanism from another hand, the references of clearance_slider_crank and its kin.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using std::cos, std::sin, std::string;
using State = std::vector<double>;
using Row = std::map<string, double>;

constexpr double pi = 3.14159265358979323846;
constexpr double crank_length = 0.05, rod_length = 0.12, gravity = 9.81;  // m, m, m/s²
constexpr double crank_mass = 0.30, rod_mass = 0.21, rod_inertia = 2.5e-4, slider_mass = 0.14;
constexpr double bearing = 0.01, young = 207e9, poisson = 0.3, restitution = 0.9, friction = 0.01;
constexpr double slip_begin = 1e-4, slip_full = 1e-3;
constexpr double hysteresis = 0.75 * (1 - restitution * restitution);

enum Joint { main_bearing, crankpin, pin };
const char* const joint_names[] = {"main", "crankpin", "pin"};

struct Body {
  double x, y, angle, vx, vy, omega;
};
struct Bodies {
  Body crank, rod;
  double slider, slider_speed;
};
struct Point {
  double x, y, vx, vy, omega;  // the last of the body
};
struct Load {
  double fx = 0, fy = 0, moment = 0;  // about the middle
};
struct Contact {
  double fx = 0, fy = 0, x = 0, y = 0, normal = 0;  // on the journal, where, normal part
};

Point end_of(const Body& body, double half) {
  const double c = half * cos(body.angle), s = half * sin(body.angle);
  return {body.x + c, body.y + s, body.vx - s * body.omega, body.vy + c * body.omega, body.omega};
}

struct Gap {
  double depth, rate, nx, ny, slip;  // normal from the bearing to the journal
  Point hole, journal;
};

class Motion {
 public:
  Motion(double clearance, double rpm, std::vector<Joint> loose)
      : radial_(clearance / 2), speed_(rpm * pi / 30), loose_(std::move(loose)), impact_speed_(3, 0.0) {
    const double journal = bearing - radial_, compliance = 2 * (1 - poisson * poisson) / young;
    journal_ = journal;
    stiffness_ = 4 / (3 * compliance) * std::sqrt(bearing * journal / radial_);
  }

  double speed() const { return speed_; }
  const std::vector<Joint>& loose() const { return loose_; }
  bool touching(Joint joint) const { return impact_speed_[joint] > 0; }

  // Crank and rod in line, joints centred, velocities of the ideal mechanism.
  State start() const {
    const double r = crank_length, l = rod_length, w = speed_;
    if (loose_.size() == 1) return {0, r + l, -w * r / l, 0};
    if (loose_.size() == 2) return {r + l / 2, 0, 0, r + l, 0, w * r / 2, -w * r / l, 0};
    return {r + l / 2, 0, 0, r + l, r / 2, 0, 0, w * r / 2, -w * r / l, 0, 0, w * r / 2};
  }

  Bodies bodies(double t, const State& y) const {
    const double a = speed_ * t, w = speed_, half = crank_length / 2, h = rod_length / 2;
    Bodies all{};
    all.crank = {half * cos(a), half * sin(a), a, -half * w * sin(a), half * w * cos(a), w};
    if (loose_.size() > 1) {
      const std::size_t n = y.size() / 2;
      all.rod = {y[0], y[1], y[2], y[n], y[n + 1], y[n + 2]};
      all.slider = y[3], all.slider_speed = y[n + 3];
      if (n == 6) all.crank = {y[4], y[5], a, y[n + 4], y[n + 5], w};
      return all;
    }
    const double b = y[0], rate = y[2];
    all.slider = y[1], all.slider_speed = y[3];
    if (loose_.front() == pin) {
      const Point at = end_of(all.crank, half);
      all.rod = {at.x + h * cos(b), at.y + h * sin(b), b, at.vx - h * sin(b) * rate, at.vy + h * cos(b) * rate, rate};
    } else {
      all.rod = {y[1] - h * cos(b), -h * sin(b), b, y[3] + h * sin(b) * rate, -h * cos(b) * rate, rate};
    }
    return all;
  }

  Gap gap(Joint joint, const Bodies& all) const {
    Gap g{};
    if (joint == main_bearing) g.hole = {}, g.journal = end_of(all.crank, -crank_length / 2);
    if (joint == crankpin) g.hole = end_of(all.crank, crank_length / 2), g.journal = end_of(all.rod, -rod_length / 2);
    if (joint == pin) g.hole = end_of(all.rod, rod_length / 2), g.journal = {all.slider, 0, all.slider_speed, 0, 0};
    const double ex = g.journal.x - g.hole.x, ey = g.journal.y - g.hole.y, e = std::hypot(ex, ey);
    g.nx = e > 0 ? ex / e : 1, g.ny = e > 0 ? ey / e : 0;
    const double u = g.journal.vx - g.hole.vx, v = g.journal.vy - g.hole.vy;
    g.depth = e - radial_, g.rate = u * g.nx + v * g.ny;
    g.slip = -u * g.ny + v * g.nx + g.journal.omega * journal_ - g.hole.omega * bearing;
    return g;
  }

  // Acts at the surface of the bearing.
  Contact contact(Joint joint, const Bodies& all) const {
    if (!touching(joint)) return {};
    const Gap g = gap(joint, all);
    if (g.depth <= 0) return {};
    const double normal =
        std::max(0.0, stiffness_ * g.depth * std::sqrt(g.depth) * (1 + hysteresis * g.rate / impact_speed_[joint]));
    const double ramp = std::clamp((std::abs(g.slip) - slip_begin) / (slip_full - slip_begin), 0.0, 1.0);
    const double side = -friction * ramp * normal * (g.slip > 0 ? 1 : -1);
    return {-normal * g.nx - side * g.ny, -normal * g.ny + side * g.nx, g.hole.x + bearing * g.nx,
            g.hole.y + bearing * g.ny, normal};
  }

  State rate(double t, const State& y) const {
    const Bodies all = bodies(t, y);
    const auto [crank, rod, slider] = loads(all);
    const std::size_t n = y.size() / 2;
    if (n > 2) {
      State result(y.begin() + static_cast<long>(n), y.end());
      result.insert(result.end(),
                    {rod.fx / rod_mass, rod.fy / rod_mass - gravity, rod.moment / rod_inertia, slider / slider_mass});
      if (n == 6) result.insert(result.end(), {crank.fx / crank_mass, crank.fy / crank_mass - gravity});
      return result;
    }
    const double c = cos(y[0]), s = sin(y[0]), h = rod_length / 2, w = y[2];
    if (loose_.front() == pin) {  // the rod about the crank pin, which is accelerated towards the centre
      const double a = speed_ * t, ax = -crank_length * speed_ * speed_ * cos(a),
                   ay = -crank_length * speed_ * speed_ * sin(a);
      const double moment = rod.moment + h * (c * (rod.fy - rod_mass * (gravity + ay)) - s * (rod.fx - rod_mass * ax));
      return {w, y[3], moment / (rod_inertia + rod_mass * h * h), slider / slider_mass};
    }
    // Rod and slider together; the middle of the rod is (x − h cos b, −h sin b).
    const double m11 = rod_mass + slider_mass, m12 = rod_mass * h * s, m22 = rod_inertia + rod_mass * h * h;
    const double f1 = rod.fx - rod_mass * h * c * w * w;
    const double f2 = rod.moment + h * s * rod.fx - h * c * (rod.fy - rod_mass * gravity);
    const double det = m11 * m22 - m12 * m12;
    return {w, y[3], (m11 * f2 - m12 * f1) / det, (m22 * f1 - m12 * f2) / det};
  }

  // Normal force times speed of slip, of all joints.
  double wear_power(double t, const State& y) const {
    const Bodies all = bodies(t, y);
    double sum = 0;
    for (const Joint joint : loose_) sum += contact(joint, all).normal * std::abs(gap(joint, all).slip);
    return sum;
  }

  void touch(Joint joint, double t, const State& y) {
    impact_speed_[joint] = touching(joint) ? 0 : std::max(1e-300, gap(joint, bodies(t, y)).rate);
  }

  Row sample(double t, const State& y) const {
    const Bodies all = bodies(t, y);
    const State slope = rate(t, y);
    Row row;
    row["body:slider.x"] = all.slider, row["body:slider.vx"] = all.slider_speed;
    row["body:slider.ax"] = slope[y.size() == 4 ? 3 : y.size() / 2 + 3];
    row["body:rod.angle"] = all.rod.angle, row["body:rod.omega"] = all.rod.omega;
    row["motion:drive.force"] = drive(t, all, slope);
    for (const Joint joint : loose_) {
      const Gap g = gap(joint, all);
      const double a = joint == main_bearing ? 0 : joint == crankpin ? all.crank.angle : all.rod.angle;
      const double ex = g.journal.x - g.hole.x, ey = g.journal.y - g.hole.y;
      const string name = string("joint:") + joint_names[joint];
      row[name + ".normal_force"] = contact(joint, all).normal;
      row[name + ".ex"] = ex * cos(a) + ey * sin(a), row[name + ".ey"] = ey * cos(a) - ex * sin(a);
    }
    return row;
  }

 private:
  struct Loads {
    Load crank, rod;
    double slider = 0;
  };

  Loads loads(const Bodies& all) const {
    Loads sum;
    const auto push = [](Load& load, const Body& body, const Contact& c, double sign) {
      load.fx += sign * c.fx, load.fy += sign * c.fy;
      load.moment += sign * ((c.x - body.x) * c.fy - (c.y - body.y) * c.fx);
    };
    for (const Joint joint : loose_) {
      const Contact c = contact(joint, all);
      if (joint == main_bearing) push(sum.crank, all.crank, c, 1);
      if (joint == crankpin) push(sum.crank, all.crank, c, -1), push(sum.rod, all.rod, c, 1);
      if (joint == pin) push(sum.rod, all.rod, c, -1), sum.slider += c.fx;
    }
    return sum;
  }

  // Moment on the crank that keeps its speed: against contacts, weight and, of an ideal crank pin, its reaction.
  double drive(double t, const Bodies& all, const State& slope) const {
    const Loads sum = loads(all);
    const double a = speed_ * t, c = cos(a), s = sin(a), r = crank_length, h = rod_length / 2, w = all.rod.omega;
    double moment = sum.crank.moment;
    if (loose_.size() == 3) return -moment;
    if (loose_.front() == pin) {
      const double b = all.rod.angle;
      const double ax = -r * speed_ * speed_ * c - h * (sin(b) * slope[2] + cos(b) * w * w);
      const double ay = -r * speed_ * speed_ * s + h * (cos(b) * slope[2] - sin(b) * w * w);
      const double px = rod_mass * ax - sum.rod.fx, py = rod_mass * (ay + gravity) - sum.rod.fy;  // on the rod
      moment -= r * (c * py - s * px);
    } else {
      moment += r / 2 * (c * sum.crank.fy - s * sum.crank.fx);
    }
    return -(moment - crank_mass * gravity * r / 2 * c);
  }

  double radial_, speed_, journal_ = 0, stiffness_ = 0;
  std::vector<Joint> loose_;
  std::vector<double> impact_speed_;  // of the contact that lasts; 0: none
};

struct Step {
  State state, error;
};

// The state after a step, and the difference of the two best extrapolations.
Step extrapolate(const Motion& motion, double t, const State& y, double h) {
  constexpr int stages[] = {2, 4, 6, 8, 10, 12};
  const std::size_t size = y.size();
  const State start = motion.rate(t, y);
  std::vector<State> last, row;
  for (std::size_t k = 0; k < std::size(stages); ++k) {
    const int n = stages[k];
    const double s = h / n;
    State before = y, now = y;
    for (std::size_t i = 0; i < size; ++i) now[i] += s * start[i];
    for (int m = 1; m < n; ++m) {
      const State slope = motion.rate(t + m * s, now);
      for (std::size_t i = 0; i < size; ++i) before[i] += 2 * s * slope[i];
      std::swap(before, now);
    }
    const State slope = motion.rate(t + h, now);
    for (std::size_t i = 0; i < size; ++i) now[i] = 0.5 * (before[i] + now[i] + s * slope[i]);
    last = std::move(row);
    row = {now};
    for (std::size_t j = 1; j <= k; ++j) {
      const double ratio = static_cast<double>(n) / stages[k - j], by = ratio * ratio - 1;
      State next = row[j - 1];
      for (std::size_t i = 0; i < size; ++i) next[i] += (row[j - 1][i] - last[j - 1][i]) / by;
      row.push_back(std::move(next));
    }
  }
  Step step{row.back(), row.back()};
  for (std::size_t i = 0; i < size; ++i) step.error[i] -= last.back()[i];
  return step;
}

double depth_after(const Motion& motion, Joint joint, double t, const State& y) {
  return motion.gap(joint, motion.bodies(t, y)).depth;
}

// How long a step may be until the contact of a joint changes, which it does within `step`.
double time_of_change(const Motion& motion, Joint joint, double t, const State& y, double step) {
  double low = 0, high = step;
  while (high - low > 1e-15 * t + 1e-18) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    const bool inside = depth_after(motion, joint, t + middle, extrapolate(motion, t, y, middle).state) > 0;
    (inside == motion.touching(joint) ? low : high) = middle;
  }
  return high;
}

struct Solution {
  std::vector<Row> rows;
  int contacts = 0;
  std::vector<double> slid = {};  // N m at the times: normal force times distance slid in all joints, for wear
};

// Rows at the times; steps end there and where a contact begins or ends.
Solution integrate(Motion motion, const std::vector<double>& times, double tolerance) {
  Solution solution;
  double t = 0, h = 1e-7, slid = 0;
  State y = motion.start();
  const double longest = 1e-3 / motion.speed();  // a milliradian of the crank: no contact is missed in between
  for (const double end : times) {
    while (t < end) {
      double step = std::min({h, longest, end - t});
      Step next = extrapolate(motion, t, y, step);
      double size = 0;
      for (std::size_t i = 0; i < y.size(); ++i)
        size = std::max(size, std::abs(next.error[i]) / (tolerance * 1e-4 * (i < y.size() / 2 ? 1 : motion.speed())));
      if (size > 1) {
        h = step * std::max(0.2, 0.9 * std::pow(size, -1.0 / 11));
        continue;
      }
      const bool cut = step < std::min(h, longest);
      const double grown = step * std::min(3.0, 0.9 * std::pow(std::max(size, 1e-12), -1.0 / 11));
      Joint changed = pin;
      double first = step * 2;
      for (const Joint joint : motion.loose()) {
        if ((depth_after(motion, joint, t + step, next.state) > 0) == motion.touching(joint)) continue;
        const double at = time_of_change(motion, joint, t, y, step);
        if (at < first) first = at, changed = joint;
      }
      if (first <= step) {
        next = extrapolate(motion, t, y, first);
        motion.touch(changed, t + first, next.state);
        if (motion.touching(changed)) ++solution.contacts;
        step = first, h = std::min(h, 1e-7);
      } else if (!cut) {
        h = grown;
      }
      slid +=
          step / 6 *
          (motion.wear_power(t, y) + 4 * motion.wear_power(t + step / 2, extrapolate(motion, t, y, step / 2).state) +
           motion.wear_power(t + step, next.state));
      y = next.state;
      t = end - (t + step) < 1e-15 ? end : t + step;
    }
    solution.rows.push_back(motion.sample(t, y));
    solution.slid.push_back(slid);
  }
  return solution;
}

struct Study {
  const char* name;
  double clearance, rpm;
  std::vector<Joint> loose;
  double every, end;
  const char* against;  // case with a table of the same motion, or none
};

const std::vector<Study> studies = {
    {"clearance_study_050um", 0.05e-3, 5000, {pin}, 3e-4, 0.072, "clearance_slider_crank"},
    {"clearance_study_100um", 0.1e-3, 5000, {pin}, 3e-4, 0.072, "clearance_100um"},
    {"clearance_study_200um", 0.2e-3, 5000, {pin}, 3e-4, 0.072, ""},
    {"clearance_study_500um", 0.5e-3, 5000, {pin}, 7.5e-5, 0.072, "clearance_500um"},
    {"clearance_study_1000rpm", 0.05e-3, 1000, {pin}, 7.5e-5, 0.03, ""},
    {"clearance_study_500rpm", 0.05e-3, 500, {pin}, 7.5e-4, 0.72, "clearance_500rpm"},
    {"clearance_study_50rpm", 0.05e-3, 50, {pin}, 7.5e-4, 0.06, ""},
    {"clearance_study_crankpin", 0.05e-3, 5000, {crankpin}, 3e-4, 0.072, ""},
    {"clearance_study_two", 0.05e-3, 5000, {crankpin, pin}, 3e-4, 0.072, ""},
    {"clearance_study_three", 0.05e-3, 5000, {main_bearing, crankpin, pin}, 3e-4, 0.072, ""}};

std::vector<string> cells(const string& line) {
  std::vector<string> result;
  std::istringstream stream(line);
  for (string cell; std::getline(stream, cell, ',');) result.push_back(cell);
  return result;
}

// The first 40 rows of a table from another hand.
bool agrees_with_table(const Study& study, const string& cases) {
  std::ifstream file(cases + "/" + study.against + "/reference.csv");
  string line;
  std::vector<string> header;
  std::vector<std::vector<double>> table;
  while (std::getline(file, line) && table.size() < 40) {
    if (line.empty() || line[0] == '#') continue;
    if (header.empty()) {
      header = cells(line);
      continue;
    }
    table.emplace_back();
    for (const string& cell : cells(line)) table.back().push_back(std::stod(cell));
  }
  std::vector<double> times;
  for (const auto& row : table) times.push_back(row[0]);
  const Solution mine = integrate({study.clearance, study.rpm, study.loose}, times, 1e-10);
  double worst = 0;
  for (std::size_t c = 1; c < header.size(); ++c) {
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < table.size(); ++k) {
      const auto found = mine.rows[k].find(header[c]);
      if (found == mine.rows[k].end()) continue;
      largest = std::max(largest, std::abs(table[k][c]));
      error = std::max(error, std::abs(table[k][c] - found->second));
    }
    if (largest > 0) worst = std::max(worst, error / largest);
  }
  std::printf("  check %zu rows of %s: %.1e of the largest magnitude (limit 1e-06)\n", table.size(), study.against,
              worst);
  return !table.empty() && worst <= 1e-6;
}

std::size_t known_rows(const std::vector<Row>& coarse, const std::vector<Row>& fine) {
  Row largest;
  for (const Row& row : fine)
    for (const auto& [name, value] : row) largest[name] = std::max(largest[name], std::abs(value));
  for (std::size_t k = 0; k < fine.size(); ++k)
    for (const auto& [name, value] : fine[k])
      if (std::abs(value - coarse[k].at(name)) > 1e-6 * largest[name]) return k;
  return fine.size();
}

void write_table(const Study& study, const string& cases, const std::vector<double>& times,
                 const std::vector<Row>& rows, std::size_t count) {
  std::ofstream file(cases + "/" + study.name + "/converged.csv");
  file << "# source: minimal coordinates, extrapolated midpoint rules of order 12, two tolerances "
          "(tools/references/clearance_study.cpp)\ntime";
  for (const auto& [name, value] : rows.front()) file << ',' << name;
  file << '\n';
  char text[32];
  for (std::size_t k = 0; k < count; ++k) {
    std::snprintf(text, sizeof text, "%.12g", times[k]);
    file << text;
    for (const auto& [name, value] : rows[k]) {
      std::snprintf(text, sizeof text, ",%.12g", value);
      file << text;
    }
    file << '\n';
  }
}

bool make(const Study& study, const string& cases) {
  if (*study.against && !agrees_with_table(study, cases)) return false;
  std::vector<double> times;
  for (int k = 1; k <= std::lround(study.end / study.every); ++k) times.push_back(k * study.every);
  const Motion motion(study.clearance, study.rpm, study.loose);
  const Solution coarse = integrate(motion, times, 1e-8), fine = integrate(motion, times, 5e-10);
  const std::size_t count = known_rows(coarse.rows, fine.rows);
  const double until = count > 0 ? times[count - 1] : 0;
  std::printf("%s: %d contacts in %g s; known until %.6g s, %.2f turns, %zu rows\n", study.name, fine.contacts,
              study.end, until, until * study.rpm / 60, count);
  const std::size_t turn = static_cast<std::size_t>(std::lround(60 / study.rpm / study.every));
  if (fine.slid.size() > turn)
    std::printf("  force times distance slid: %.6g N m in the first turn, %.6g N m in the last\n", fine.slid[turn - 1],
                fine.slid.back() - fine.slid[fine.slid.size() - 1 - turn]);
  std::fflush(stdout);
  if (count > 0) write_table(study, cases, times, fine.rows, count);
  return count > 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::puts("usage: clearance_study FOLDER_OF_CASES [CASE…]"), 2;
  for (const Study& study : studies) {
    const bool asked =
        count == 2 || std::find(arguments + 2, arguments + count, string(study.name)) != arguments + count;
    if (asked && !make(study, arguments[1])) return 1;
  }
  return 0;
}
