#pragma once

#include <string>
#include <string_view>

namespace carom::inline viewing {

/// A secret that nobody can guess: 128 bits of the operating system's randomness, in hexadecimal digits. Throws
/// ResultError when the system gives none.
std::string new_token();

/// Compares in a time that depends on the length alone, so that answers do not tell how much of a guess was right.
bool same_token(std::string_view given, std::string_view secret);

/// What remains of "/TOKEN/rest" after the token, "/rest"; empty: the path does not begin with it.
std::string_view path_after_token(std::string_view path, std::string_view token);

}  // namespace carom::inline viewing
