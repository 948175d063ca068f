#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/problem.h"
#include "recording/table_file.h"
#include "studies/journal.h"
#include "studies/sampling.h"
#include "studies/study.h"

// The result of a study: a row a run.
namespace carom::inline studies {

// Columns: run (from 1), model, method, the varied parameters, the quantities, the statistics, status, reason. Values
// are in SI. The models are attributes, so that each run can be repeated from the table alone.
Table study_table(const Study& study, const StudyPlan& plan, const std::vector<RunRecord>& records);

// NAME.h5, NAME.csv and, for every quantity that is a list, NAME_QUANTITY.csv; the names of the files.
std::vector<std::filesystem::path> write_study(const Table& table, const std::filesystem::path& path);

// Throws ResultError if the file exists and is neither a table of this study nor one that `fresh` allows to replace.
void check_replaceable(const std::filesystem::path& path, const Study& study, bool fresh);

// The model of a run, numbered from 1, as the study ran it. Throws ResultError if the table has no such run or a file
// that the model includes has changed since.
Model recorded_study_model(const Table& table, const std::filesystem::path& path, std::size_t number);

// The unit for pictures: of a varied parameter, that of the study file.
std::string shown_unit(const Component& component);

// Names of the values 0, 1, 2 … of a quantity that reports a kind; none for others.
std::vector<std::string> class_names(const Component& component);

// Columns that say what was varied and what was asked for, in the order of the table.
std::vector<const TableColumn*> varied_columns(const Table& table);
std::vector<const TableColumn*> quantity_columns(const Table& table);

}  // namespace carom::inline studies
