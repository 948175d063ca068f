#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/problem.h"
#include "carom/parts.h"
#include "parts/force_batch.h"

namespace carom::inline parts {

// Checks parts and puts them into the catalogues of this program, all of them or none.
class PartRegistry final : public v1::Registry {
 public:
  // Where the parts come from: the file of a plug-in, or "the program".
  explicit PartRegistry(std::string origin) : origin_(std::move(origin)) {}

  void add(v1::ContactLawPart part) override;
  void add(v1::FrictionLawPart part) override;
  void add(v1::ForcePart part) override;
  void add(v1::DrivePart part) override;
  // Not for plug-ins.
  void add_batched(const BatchedForcePart& part);

  // Throws InputError with everything that is wrong with them.
  void commit();
  const ProblemList& problems() const { return problems_; }
  // Such as "contact law `mine`".
  const std::vector<std::string>& titles() const { return titles_; }

 private:
  template <class Part>
  void take(const std::string& kind, const Part& part, const std::set<std::string>& reserved);
  template <class Part>
  void check(const std::string& title, const Part& part, const std::set<std::string>& reserved);
  void check_key(const std::string& title, const v1::Key& key);
  void complain(const std::string& key, const std::string& found, const std::string& expected,
                const std::string& remedy = {});

  std::string origin_;
  ProblemList problems_;
  std::vector<std::string> titles_;
  std::vector<std::function<void()>> pending_;
};

}  // namespace carom::inline parts
