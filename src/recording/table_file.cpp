#include "recording/table_file.h"

#include <algorithm>
#include <cstring>

#include "recording/csv_text.h"
#include "recording/hdf5_support.h"
#include "recording/output_file.h"
#include "recording/write_csv.h"

namespace carom::inline recording {

using namespace hdf5;

namespace {

constexpr const char* table_format = "carom table";
constexpr std::uint64_t table_version = 1;

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& size) {
  const Handle space = make(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Handle creation = make(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false));
  if (std::all_of(size.begin(), size.end(), [](hsize_t each) { return each > 0; })) {
    // One chunk of at most 2³² bytes with its checksum.
    const hsize_t row = H5Tget_size(type) * (size.size() > 1 ? size[1] : 1), most = (hsize_t{1} << 30) / row;
    std::vector<hsize_t> chunk = size;
    chunk[0] = std::min(chunk[0], std::max<hsize_t>(most, 1));
    check(H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()));
    check(H5Pset_fletcher32(creation.get()));
  }
  return make(
      H5Dcreate2(parent, dataset_name(name).c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
}

Handle create_group(hid_t parent, const char* name) {
  const Handle creation = make(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false));
  return make(H5Gcreate2(parent, name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
}

void write_column(hid_t parent, const TableColumn& column) {
  Handle dataset;
  if (column.is_text) {
    std::size_t longest = 0;
    for (const std::string& text : column.texts) longest = std::max(longest, text.size());
    const Handle type = string_type(longest + 1);
    dataset = create_dataset(parent, column.component.name, type.get(), {column.texts.size()});
    std::string all(column.texts.size() * (longest + 1), '\0');
    for (std::size_t k = 0; k < column.texts.size(); ++k)
      column.texts[k].copy(all.data() + k * (longest + 1), column.texts[k].size());
    check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
  } else {
    dataset = create_dataset(parent, column.component.name, H5T_IEEE_F64LE, {column.numbers.size()});
    check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.numbers.data()));
  }
  write_components(dataset.get(), "", {column.component});
}

void write_list(hid_t parent, const TableList& list) {
  std::vector<double> pairs;
  for (std::size_t k = 0; k < list.values.size(); ++k) {
    pairs.push_back(list.rows[k]);
    pairs.push_back(list.values[k]);
  }
  const Handle dataset = create_dataset(parent, list.component.name, H5T_IEEE_F64LE, {list.values.size(), 2});
  if (!pairs.empty()) check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, pairs.data()));
  write_components(dataset.get(), "", {{"row", "", "of the table, from 0"}, list.component});
}

void write_all(const Table& table, const std::filesystem::path& path, OutputFile& output) {
  const Handle creation = make(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false));
  Handle file = make(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), output.access().get()), H5Fclose);
  write_attribute(file.get(), "format", std::string(table_format));
  write_attribute(file.get(), "format_version", table_version);
  std::vector<std::string> names;
  {
    const Handle attributes = create_group(file.get(), "attributes");
    for (const auto& [name, text] : table.attributes) {
      names.push_back(name);
      write_attribute(attributes.get(), name.c_str(), text);
    }
    write_attribute(file.get(), "attributes", names);
    names.clear();
    const Handle columns = create_group(file.get(), "columns");
    for (const TableColumn& column : table.columns) {
      names.push_back(column.component.name);
      write_column(columns.get(), column);
    }
    write_attribute(file.get(), "columns", names);
    names.clear();
    const Handle lists = create_group(file.get(), "lists");
    for (const TableList& list : table.lists) {
      names.push_back(list.component.name);
      write_list(lists.get(), list);
    }
    write_attribute(file.get(), "lists", names);
  }
  check(file.reset() ? 0 : -1);
  output.check();
}

std::size_t entries(hid_t dataset) {
  const Handle space = make(H5Dget_space(dataset), H5Sclose);
  return static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.get())));
}

std::vector<double> read_numbers(hid_t dataset) {
  std::vector<double> numbers(entries(dataset));
  if (!numbers.empty()) check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  return numbers;
}

TableColumn read_column(hid_t parent, const std::string& name) {
  const Handle dataset = make(H5Dopen2(parent, dataset_name(name).c_str(), H5P_DEFAULT), H5Dclose);
  TableColumn column;
  column.component = read_components(dataset.get(), "").at(0);
  const Handle type = make(H5Dget_type(dataset.get()), H5Tclose);
  column.is_text = H5Tget_class(type.get()) == H5T_STRING;
  if (!column.is_text) {
    column.numbers = read_numbers(dataset.get());
    return column;
  }
  const std::size_t size = H5Tget_size(type.get()), count = entries(dataset.get());
  std::string all(size * count, '\0');
  if (count > 0) check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
  for (std::size_t k = 0; k < count; ++k) column.texts.push_back(all.substr(k * size, strnlen(&all[k * size], size)));
  return column;
}

TableList read_list(hid_t parent, const std::string& name) {
  const Handle dataset = make(H5Dopen2(parent, dataset_name(name).c_str(), H5P_DEFAULT), H5Dclose);
  TableList list;
  list.component = read_components(dataset.get(), "").at(1);
  const std::vector<double> pairs = read_numbers(dataset.get());
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
    list.rows.push_back(pairs[k]);
    list.values.push_back(pairs[k + 1]);
  }
  return list;
}

Handle open_table(const std::filesystem::path& path) {
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
  if (file.valid() && (H5Aexists(file.get(), "format") <= 0 || read_text(file.get(), "format") != table_format))
    file.reset();
  return file;
}

template <class Item>
const Item* find_named(const std::vector<Item>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.component.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const std::string* Table::attribute(const std::string& name) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& each) { return each.first == name; });
  return found == attributes.end() ? nullptr : &found->second;
}

const TableColumn* Table::column(const std::string& name) const {
  return find_named(columns, name);
}

const TableList* Table::list(const std::string& name) const {
  return find_named(lists, name);
}

std::size_t Table::rows() const {
  if (columns.empty()) return 0;
  return columns.front().is_text ? columns.front().texts.size() : columns.front().numbers.size();
}

void write_table_file(const Table& table, const std::filesystem::path& path) {
  silence_errors();
  require_replaceable(path, is_table_file);
  try {
    OutputFile output(path);
    write_all(table, path, output);
    output.put_in_place();
  } catch (const CallFailed& call) {
    throw_write_error(write_error_message(path, call.failure), call.failure.error_number);
  }
  may_replace(path);
}

Table read_table_file(const std::filesystem::path& path) {
  silence_errors();
  note_read_file(path);
  try {
    const Handle file = open_table(path);
    if (!file.valid())
      throw ResultError("cannot read " + path.string() +
                        ": it is not the table of a study; give a file written by carom study");
    Table table;
    const Handle attributes = make(H5Gopen2(file.get(), "attributes", H5P_DEFAULT), H5Gclose);
    for (const std::string& name : read_texts(file.get(), "attributes"))
      table.attributes.emplace_back(name, read_text(attributes.get(), name.c_str()));
    const Handle columns = make(H5Gopen2(file.get(), "columns", H5P_DEFAULT), H5Gclose);
    for (const std::string& name : read_texts(file.get(), "columns"))
      table.columns.push_back(read_column(columns.get(), name));
    const Handle lists = make(H5Gopen2(file.get(), "lists", H5P_DEFAULT), H5Gclose);
    for (const std::string& name : read_texts(file.get(), "lists")) table.lists.push_back(read_list(lists.get(), name));
    return table;
  } catch (const CallFailed& call) {
    throw ResultError("cannot read " + path.string() + ": the file is damaged (" + call.failure.text +
                      "); run the study again");
  }
}

bool is_table_file(const std::filesystem::path& path) {
  silence_errors();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    return open_table(path).valid();
  } catch (const CallFailed&) {
    return false;
  }
}

void write_table_csv(const Table& table, const std::filesystem::path& path) {
  std::string text;
  for (const TableColumn& column : table.columns)
    text += (text.empty() ? "" : ",") + csv_quoted(csv_title(column.component.name, column.component.unit));
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      if (k > 0) text += ',';
      if (table.columns[k].is_text) {
        text += csv_quoted(table.columns[k].texts[row]);
      } else {
        add_csv_number(text, table.columns[k].numbers[row]);
      }
    }
    text += '\n';
  }
  write_csv(path, text);
}

void write_list_csv(const Table& table, const TableList& list, const std::filesystem::path& path) {
  const TableColumn& first = table.columns.front();
  std::string text = csv_quoted(csv_title(first.component.name, first.component.unit)) + "," +
                     csv_quoted(csv_title(list.component.name, list.component.unit)) + "\n";
  for (std::size_t k = 0; k < list.values.size(); ++k) {
    add_csv_number(text, first.numbers[static_cast<std::size_t>(list.rows[k])]);
    text += ',';
    add_csv_number(text, list.values[k]);
    text += '\n';
  }
  write_csv(path, text);
}

}  // namespace carom::inline recording
