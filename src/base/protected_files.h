#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

// Nothing is destroyed by accident: a writer replaces a file only if Carom wrote it and this program has not read it.
namespace carom::inline base {

/// From now on writers of this program keep to that; `force` lets them replace anything all the same. Until it is
/// called nothing is protected: a program that uses the library decides by itself.
void protect_files(bool force);

/// Whether the user asked to replace whatever is there.
bool replaces_by_force();

/// The file is an input of this program: a model, what it includes, a table, a result. Called by every reader.
void note_read_file(const std::filesystem::path& path);

/// This program has made the file, or has found out that it may be replaced.
void may_replace(const std::filesystem::path& path);

/// Every text, picture and page that Carom writes says so somewhere in its first or last 4 KiB.
inline constexpr std::string_view written_mark = "Written by Carom";

/// Tells whether Carom wrote a file that is there.
using Recognise = std::function<bool(const std::filesystem::path&)>;

/// By the mark.
bool bears_mark(const std::filesystem::path& path);

/// Throws ResultError, with the file and a remedy, if the file must stay as it is. One that is not there, is empty or
/// is no plain file (a pipe, a terminal) may always be written to.
void require_replaceable(const std::filesystem::path& path, const Recognise& written_by_carom = bears_mark);

}  // namespace carom::inline base
