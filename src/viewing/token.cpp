#include "viewing/token.h"

#include <sys/random.h>

#include <array>
#include <cerrno>

#include "base/file_error.h"

namespace carom::inline viewing {

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  ssize_t count = 0;
  do {
    count = getrandom(bytes.data(), bytes.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(bytes.size()))
    throw ResultError("the operating system gives no random numbers for the viewer's address");
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool same_token(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < secret.size(); ++k) {
    difference |= static_cast<unsigned char>(given[k]) ^ static_cast<unsigned char>(secret[k]);
  }
  return difference == 0;
}

std::string_view path_after_token(std::string_view path, std::string_view token) {
  if (!path.starts_with('/')) return {};
  const std::size_t end = path.find('/', 1);
  if (end == std::string_view::npos || !same_token(path.substr(1, end - 1), token)) return {};
  return path.substr(end);
}

}  // namespace carom::inline viewing
