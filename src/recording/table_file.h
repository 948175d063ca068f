#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "recording/result_types.h"

namespace carom::inline recording {

/// A column of a table: numbers or texts, one a row.
struct TableColumn {
  Component component = {};
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
  bool is_text = false;
};

/// Numbers of which a row may have any count, in the order of the rows.
struct TableList {
  Component component = {};
  std::vector<double> rows = {};  // the row that each value belongs to, from 0
  std::vector<double> values = {};
};

struct Table {
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::vector<TableColumn> columns = {};
  std::vector<TableList> lists = {};

  const std::string* attribute(const std::string& name) const;  // null: there is none
  const TableColumn* column(const std::string& name) const;
  const TableList* list(const std::string& name) const;
  std::size_t rows() const;
};

/// A file is there in full or not at all: it is written beside its place and then put there. The bytes depend on the
/// table alone. Throws ResultError.
void write_table_file(const Table& table, const std::filesystem::path& path);
Table read_table_file(const std::filesystem::path& path);

/// Whether a file is such a table; false also for what cannot be read.
bool is_table_file(const std::filesystem::path& path);

/// A line of titles, then a line a row; numbers in the shortest form that reads back to the same value.
void write_table_csv(const Table& table, const std::filesystem::path& path);

/// The values of a list with the rows they belong to, by the number in the table's first column.
void write_list_csv(const Table& table, const TableList& list, const std::filesystem::path& path);

}  // namespace carom::inline recording
