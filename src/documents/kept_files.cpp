#include "documents/kept_files.h"

#include <utility>

namespace carom::inline documents {
namespace {

struct Shelf {
  KeptFiles* files = nullptr;
  std::filesystem::path folder = {};
};

thread_local Shelf noting, using_kept;

std::string name_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const std::filesystem::path name = file.lexically_normal().lexically_relative(folder.lexically_normal());
  return (name.empty() ? file.lexically_normal() : name).generic_string();
}

}  // namespace

NoteFiles::NoteFiles(const std::filesystem::path& folder) {
  noting = {&files_, folder};
}

NoteFiles::~NoteFiles() {
  noting = {};
}

UseKeptFiles::UseKeptFiles(KeptFiles files, const std::filesystem::path& folder) : files_(std::move(files)) {
  using_kept = {&files_, folder};
}

UseKeptFiles::~UseKeptFiles() {
  using_kept = {};
}

const std::string* kept_text(const std::filesystem::path& file) {
  if (!using_kept.files) return nullptr;
  const auto found = using_kept.files->find(name_from(using_kept.folder, file));
  return found == using_kept.files->end() ? nullptr : &found->second;
}

void note_text(const std::filesystem::path& file, const std::string& text) {
  if (noting.files) noting.files->insert_or_assign(name_from(noting.folder, file), text);
}

}  // namespace carom::inline documents
