#pragma once

#include <filesystem>
#include <map>
#include <string>

// Files that a model names: what it includes, and its tables. A result keeps them with the model, so that it can be
// read anywhere, also when they have changed or are gone.
namespace carom::inline documents {

/// Texts by the names that lead to them from the folder of the model.
using KeptFiles = std::map<std::string, std::string>;

/// While it lives, load_text() of this thread notes every text that it loads.
class NoteFiles {
 public:
  explicit NoteFiles(const std::filesystem::path& folder);
  ~NoteFiles();
  NoteFiles(const NoteFiles&) = delete;
  NoteFiles& operator=(const NoteFiles&) = delete;
  const KeptFiles& files() const { return files_; }

 private:
  KeptFiles files_;
};

/// While it lives, load_text() of this thread takes the texts of these files from here.
class UseKeptFiles {
 public:
  UseKeptFiles(KeptFiles files, const std::filesystem::path& folder);
  ~UseKeptFiles();
  UseKeptFiles(const UseKeptFiles&) = delete;
  UseKeptFiles& operator=(const UseKeptFiles&) = delete;

 private:
  KeptFiles files_;
};

/// What load_text() asks and tells.
const std::string* kept_text(const std::filesystem::path& file);
void note_text(const std::filesystem::path& file, const std::string& text);

}  // namespace carom::inline documents
