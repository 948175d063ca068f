#include "base/unit_database.h"

#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "base/installed_file.h"
#include "base/problem.h"
#include "udunits2.h"

namespace carom::inline base {

namespace {

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
struct FreeConverter {
  void operator()(cv_converter* converter) const { cv_free(converter); }
};
using UnitHandle = std::unique_ptr<ut_unit, FreeUnit>;
using ConverterHandle = std::unique_ptr<cv_converter, FreeConverter>;

// UDUNITS-2 walks a unit by callbacks; the walk collects the powers of the base units and their bare product.
struct Reduction {
  UnitHandle product;
  std::map<std::string, double> dimensions;
};

ut_status multiply_by(const ut_unit* base, int power, Reduction& reduction) {
  const char* symbol = ut_get_symbol(base, UT_ASCII);
  if (symbol == nullptr) symbol = ut_get_name(base, UT_ASCII);
  if (symbol == nullptr) return UT_BAD_ARG;
  reduction.dimensions[symbol] += power;
  const UnitHandle raised(ut_raise(base, power));
  reduction.product.reset(ut_multiply(reduction.product.get(), raised.get()));
  return reduction.product ? UT_SUCCESS : UT_BAD_ARG;
}

ut_status visit_basic(const ut_unit* unit, void* reduction) {
  return multiply_by(unit, 1, *static_cast<Reduction*>(reduction));
}

ut_status visit_product(const ut_unit*, int count, const ut_unit* const* bases, const int* powers, void* reduction) {
  ut_status status = UT_SUCCESS;
  for (int i = 0; i < count && status == UT_SUCCESS; ++i) {
    status = multiply_by(bases[i], powers[i], *static_cast<Reduction*>(reduction));
  }
  return status;
}

ut_status visit_galilean(const ut_unit*, double, const ut_unit* underlying, double, void* reduction);

ut_status visit_timestamp(const ut_unit*, const ut_unit*, double, void*) {
  return UT_BAD_ARG;
}

ut_status visit_logarithmic(const ut_unit*, double, const ut_unit*, void*) {
  return UT_BAD_ARG;
}

const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp, visit_logarithmic};

ut_status visit_galilean(const ut_unit*, double, const ut_unit* underlying, double, void* reduction) {
  return ut_accept_visitor(underlying, &visitor, reduction);
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

class UnitDatabase {
 public:
  // Never destroyed: the library may be in use until the last static object is gone.
  static UnitDatabase& instance() {
    static UnitDatabase* const database = new UnitDatabase;
    return *database;
  }

  std::optional<Unit> look_up(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    const auto known = known_.find(name);
    if (known != known_.end()) return known->second;
    const std::optional<Unit> unit = reduce(name);
    if (unit) known_.emplace(name, *unit);  // misspelt names are not kept: there is no end of them
    return unit;
  }

 private:
  UnitDatabase() {
    ut_set_error_message_handler([](const char*, std::va_list) { return 0; });
    system_ = ut_read_xml(nullptr);
    if (system_ == nullptr && std::getenv("UDUNITS2_XML_PATH") == nullptr) {
      // An installation that was moved to a machine without the library brings its own.
      if (const auto own = installed_file("share/carom/udunits/udunits2.xml")) system_ = ut_read_xml(own->c_str());
    }
    if (system_ == nullptr) {
      throw ComputationError("the unit database of UDUNITS-2 cannot be read; UDUNITS2_XML_PATH may name it");
    }
    add_symbol("deg", "degree");
    add_symbol("rev", "revolution");
  }

  void add_symbol(const char* symbol, const char* name) {
    const UnitHandle unit(ut_get_unit_by_name(system_, name));
    if (unit) ut_map_symbol_to_unit(symbol, UT_ASCII, unit.get());
  }

  std::optional<Unit> reduce(const std::string& name) {
    const UnitHandle unit(ut_parse(system_, name.c_str(), UT_UTF8));
    if (!unit) return std::nullopt;
    Reduction reduction{UnitHandle(ut_get_dimensionless_unit_one(system_)), {}};
    if (ut_accept_visitor(unit.get(), &visitor, &reduction) != UT_SUCCESS) return std::nullopt;
    const ConverterHandle converter(ut_get_converter(unit.get(), reduction.product.get()));
    if (!converter) return std::nullopt;

    Unit result;
    result.offset = cv_convert_double(converter.get(), 0.0);
    result.scale = cv_convert_double(converter.get(), 1.0) - result.offset;
    result.counts_cycles = ends_with(name, "Hz") || ends_with(name, "hertz");
    result.dimensions = std::move(reduction.dimensions);
    std::erase_if(result.dimensions, [](const auto& entry) { return entry.second == 0; });
    const bool usable = std::isfinite(result.scale) && result.scale != 0 && std::isfinite(result.offset);
    return usable ? std::optional(result) : std::nullopt;
  }

  std::mutex mutex_;
  ut_system* system_ = nullptr;
  std::map<std::string, Unit> known_;
};

}  // namespace

std::optional<Unit> look_up_unit(std::string_view name) {
  return UnitDatabase::instance().look_up(std::string(name));
}

}  // namespace carom::inline base
