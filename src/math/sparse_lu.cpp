#include "math/sparse_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <klu.h>

namespace carom::inline math {
namespace {

constexpr double largest_multiplier = 1e5;  // of a row by a pivot, in scaled rows; KLU's own pivots keep it below 1e3

}  // namespace

struct SparseLu::Klu {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  explicit Klu(Sparse& matrix) {
    klu_defaults(&common);
    common.btf = 0;  // mechanisms are connected
    symbolic = klu_analyze(static_cast<int>(matrix.cols()), matrix.outerIndexPtr(), matrix.innerIndexPtr(), &common);
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  bool factor(Sparse& matrix) {
    klu_free_numeric(&numeric, &common);
    if (!symbolic) return false;
    numeric = klu_factor(matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr(), symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
  }
};

SparseLu::SparseLu() = default;
SparseLu::~SparseLu() = default;

bool SparseLu::factor(Sparse& matrix) {
  if (chosen_ && eliminate(matrix) <= largest_multiplier) return true;
  return choose_pivots(matrix) && std::isfinite(eliminate(matrix));
}

bool SparseLu::choose_pivots(Sparse& matrix) {
  if (!klu_) klu_ = std::make_unique<Klu>(matrix);
  chosen_ = false;
  if (!klu_->factor(matrix)) return false;
  // KLU takes rows for columns: what it calls the columns of L and U are the rows of our U and L.
  const auto n = static_cast<std::size_t>(matrix.rows());
  Triangle upper{std::vector<int>(n + 1), std::vector<int>(klu_->numeric->lnz),
                 std::vector<double>(klu_->numeric->lnz)};
  Triangle lower{std::vector<int>(n + 1), std::vector<int>(klu_->numeric->unz),
                 std::vector<double>(klu_->numeric->unz)};
  std::vector<double> scale(n);
  row_of_.resize(n), column_of_.resize(n);
  if (!klu_extract(klu_->numeric, klu_->symbolic, upper.start.data(), upper.column.data(), upper.value.data(),
                   lower.start.data(), lower.column.data(), lower.value.data(), nullptr, nullptr, nullptr,
                   column_of_.data(), row_of_.data(), scale.data(), nullptr, &klu_->common))
    return false;
  // Without the diagonals, sorted: a row is reduced by those before it in their order.
  const auto strict = [n](const Triangle& full, Triangle& result) {
    result.start.assign(1, 0);
    result.column.clear();
    for (std::size_t k = 0; k < n; ++k) {
      for (int p = full.start[k]; p < full.start[k + 1]; ++p) {
        if (full.column[p] != static_cast<int>(k)) result.column.push_back(full.column[p]);
      }
      std::sort(result.column.begin() + result.start[k], result.column.end());
      result.start.push_back(static_cast<int>(result.column.size()));
    }
    result.value.assign(result.column.size(), 0.0);
  };
  strict(lower, lower_);
  strict(upper, upper_);
  weight_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    for (int p = upper_.start[k]; p < upper_.start[k + 1]; ++p) weight_.push_back(scale[k] / scale[upper_.column[p]]);
  }
  std::vector<int> order(n);
  for (std::size_t k = 0; k < n; ++k) order[column_of_[k]] = static_cast<int>(k);
  place_.resize(static_cast<std::size_t>(matrix.nonZeros()));
  for (std::size_t p = 0; p < place_.size(); ++p) place_[p] = order[matrix.innerIndexPtr()[p]];
  inverse_pivot_.assign(n, 0.0);
  work_.assign(n, 0.0);
  solution_.assign(n, 0.0);
  chosen_ = true;
  ++pivot_choices_;
  return true;
}

double SparseLu::eliminate(const Sparse& matrix) {
  const int n = static_cast<int>(row_of_.size());
  const int *start = matrix.outerIndexPtr(), *place = place_.data();
  const int *lower_start = lower_.start.data(), *lower_column = lower_.column.data();
  const int *upper_start = upper_.start.data(), *upper_column = upper_.column.data();
  const double* entry = matrix.valuePtr();
  double *lower = lower_.value.data(), *upper = upper_.value.data(), *work = work_.data();
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    const int row = row_of_[k];
    for (int p = start[row]; p < start[row + 1]; ++p) work[place[p]] = entry[p];
    for (int p = lower_start[k]; p < lower_start[k + 1]; ++p) {
      const int j = lower_column[p];
      const double factor = work[j];
      work[j] = 0;
      lower[p] = factor;
      for (int l = upper_start[j]; l < upper_start[j + 1]; ++l) work[upper_column[l]] -= factor * upper[l];
    }
    const double inverse = 1 / work[k];
    work[k] = 0;
    inverse_pivot_[k] = inverse;
    for (int l = upper_start[k]; l < upper_start[k + 1]; ++l) {
      const double value = work[upper_column[l]] * inverse;
      work[upper_column[l]] = 0;
      upper[l] = value;
      largest = std::max(std::abs(value) * weight_[l], largest);
    }
    if (!std::isfinite(inverse)) return std::numeric_limits<double>::infinity();
  }
  return largest;
}

void SparseLu::solve(double* x) {
  const int n = static_cast<int>(row_of_.size());
  double* work = solution_.data();
  const auto reduced = [work](double sum, const Triangle& triangle, int k) {
    const int end = triangle.start[k + 1];
    const int* column = triangle.column.data();
    const double* value = triangle.value.data();
    for (int p = triangle.start[k]; p < end; ++p) sum -= value[p] * work[column[p]];
    return sum;
  };
  for (int k = 0; k < n; ++k) work[k] = reduced(x[row_of_[k]], lower_, k) * inverse_pivot_[k];
  for (int k = n - 1; k >= 0; --k) x[column_of_[k]] = work[k] = reduced(work[k], upper_, k);
}

}  // namespace carom::inline math
