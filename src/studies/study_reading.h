#pragma once

#include <optional>
#include <string>
#include <vector>

#include "documents/reading.h"
#include "studies/study.h"
#include "studies/study_channels.h"

namespace carom::inline studies {

// What is known while a study file is read; the readers of its sections share it.
struct StudyReading {
  using Names = std::vector<std::string>;

  StudyReading(const Documents& documents, ProblemList& list)
      : reading(documents, list), problems(list), root(documents.all.back().root) {}

  Reading reading;
  ProblemList& problems;
  const Node& root;
  Study study = {};
  std::vector<StudyChannels> channels = {};  // of the models that were asked for theirs so far

  // One text or several.
  Names texts(const Node& table, const std::string& name, const KeyPath& key);
  // An entry of a list; the node itself where it is none.
  static const Node& item_of(const Node& node, std::size_t index);
  // For errors that are only seen in a run.
  std::string place_of(const Node& at, const char* key) const;
  // What all models say of the dimension of a parameter; none where one knows nothing, or another one.
  std::optional<Dimension> dimension_in_models(const std::string& name) const;
  ExpressionArguments parameters_as_arguments() const;
  std::optional<Expression> read_time(const Node& node, const KeyPath& key);
  const StudyChannels& channels_of(std::size_t model);
  // Names that neither parameters nor quantities may have.
  static const Names& table_columns();
};

}  // namespace carom::inline studies
