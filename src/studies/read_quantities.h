#pragma once

#include <string>
#include <vector>

#include "studies/reductions.h"
#include "studies/study_reading.h"

namespace carom::inline studies {

// Reads the tables [[quantity]] of a study, whose models, parameters and [steady] section are known.
class QuantityReader {
 public:
  explicit QuantityReader(StudyReading& shared) : shared_(shared), reading_(shared.reading), study_(shared.study) {}

  void read(const Node& table, const KeyPath& key);
  // Whether what depends on parameters alone is finite, in the first and in the last run. The study was found sound.
  void check_known();

 private:
  using Names = StudyReading::Names;

  void read_models_of(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  void check_name(const Node& table, const std::string& name, const KeyPath& key);
  void read_value_of(const Node& node, StudyQuantity& quantity, const KeyPath& key);
  void read_reduction(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  void read_section(const Node& node, StudyQuantity& quantity, const ReductionDescription& reduction,
                    const KeyPath& key);
  void read_woehler(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  // Of a recorded quantity that all models have of which `quantity` is asked; else it is reported.
  std::string unit_of(const Node& at, const std::string& name, const StudyQuantity& quantity, const KeyPath& key);
  void read_lyapunov(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  void read_trace_of_time(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  void check_channels(const Node& table, StudyQuantity& quantity, const ReductionDescription& reduction,
                      const KeyPath& key);
  void check_subject(const Node& table, StudyQuantity& quantity, const KeyPath& key);
  // What touches in all models of which `quantity` is asked; else it is reported: nothing would be counted. Of a
  // pattern one model will do: a mechanism without clearance, beside those with, has no knocks.
  void check_contact(const Node& at, const std::string& asked, const StudyQuantity& quantity, const KeyPath& key);
  // Of the methods by which the study runs its models.
  void check_kind(const Node& at, const std::string& kind, const StudyQuantity& quantity, const KeyPath& key);

  struct KnownValue {
    const Node* node;
    KeyPath key;
    Expression expression;
  };

  StudyReading& shared_;
  Reading& reading_;
  Study& study_;
  std::vector<KnownValue> known_ = {};  // expressions of quantities over parameters alone
};

}  // namespace carom::inline studies
