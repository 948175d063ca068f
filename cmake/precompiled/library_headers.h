#pragma once

// What most sources include of the libraries. It changes nothing but the time to compile: every source names what it
// needs itself. Headers of our own do not belong here, for a change of one would compile everything anew; nor does
// JSON, which would cost every source 0.4 s.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>
