#include "viewing/bode.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <Eigen/LU>
#include <nlohmann/json.hpp>

namespace carom::inline viewing {
namespace {

using Json = nlohmann::json;

constexpr int points = 600;
constexpr double decades_beyond = 1;  // the slowest and the fastest pole

Eigen::MatrixXd matrix_of(const Json& rows, std::size_t columns) {
  Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < std::min(columns, rows[r].size()); ++c) {
      if (rows[r][c].is_number())
        matrix(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = rows[r][c].get<double>();
    }
  }
  return matrix;
}

// Hz, the first and the last.
std::pair<double, double> range_of(const Json& poles) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Json& pole : poles) {
    const double size = std::hypot(pole.at(0).get<double>(), pole.at(1).get<double>()) / (2 * std::numbers::pi);
    if (size > 1e-9) least = std::min(least, size), most = std::max(most, size);
  }
  if (!(most > 0)) return {1e-2, 1e2};
  const double beyond = std::pow(10, decades_beyond);
  return {least / beyond, most * beyond};
}

}  // namespace

std::vector<Panel> bode_panels(const std::string& statistics_json) {
  const Json json = Json::parse(statistics_json, nullptr, false);
  if (!json.is_object() || !json.contains("state_space")) return {};
  const Json& linear = json["state_space"];
  const std::size_t inputs = linear.at("inputs").size(), outputs = linear.at("outputs").size(),
                    states = linear.at("a").size();
  if (inputs == 0 || outputs == 0) return {};
  const Eigen::MatrixXd a = matrix_of(linear["a"], states), b = matrix_of(linear["b"], inputs),
                        c = matrix_of(linear["c"], states), d = matrix_of(linear["d"], inputs);
  const auto [first, last] = range_of(linear.at("poles"));
  Panel amplitude{.x_label = "frequency [Hz]", .y_label = "amplitude [dB]", .log_x = true};
  Panel phase{.x_label = "frequency [Hz]", .y_label = "phase [deg]", .log_x = true};
  for (std::size_t u = 0; u < inputs; ++u) {
    for (std::size_t y = 0; y < outputs; ++y) {
      Series& size = amplitude.series.emplace_back();
      Series& angle = phase.series.emplace_back();
      size.label = angle.label =
          linear["outputs"][y].get<std::string>() + " / " + linear["inputs"][u].get<std::string>();
      double before = 0;
      for (int k = 0; k < points; ++k) {
        const double f = first * std::pow(last / first, static_cast<double>(k) / (points - 1));
        const std::complex<double> s(0, 2 * std::numbers::pi * f);
        const Eigen::MatrixXcd matrix = s * Eigen::MatrixXcd::Identity(a.rows(), a.cols()) - a;
        const auto row = static_cast<Eigen::Index>(y), column = static_cast<Eigen::Index>(u);
        std::complex<double> value = d(row, column);
        if (states > 0)
          value += (c.row(row).cast<std::complex<double>>() *
                    matrix.partialPivLu().solve(b.col(column).cast<std::complex<double>>()))(0);
        const double degrees = std::arg(value) * 180 / std::numbers::pi;
        // Without jumps by full turns.
        before = k == 0 ? degrees : before + std::remainder(degrees - before, 360.0);
        size.x.push_back(f), angle.x.push_back(f);
        size.y.push_back(20 * std::log10(std::abs(value)));
        angle.y.push_back(before);
      }
    }
  }
  return {amplitude, phase};
}

}  // namespace carom::inline viewing
