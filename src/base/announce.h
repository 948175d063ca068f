#pragma once

#include <atomic>
#include <string>

// What takes long before anything can be shown is announced, for those who wait: a part of millions of triangles, for
// instance. Nobody listens unless the program says who.
namespace carom::inline base {

using Announcement = void (*)(const std::string& text);

// Who is told, from any thread; null: nobody.
inline std::atomic<Announcement>& listener_to_announcements() {
  static std::atomic<Announcement> listener = nullptr;
  return listener;
}

inline void announce(const std::string& text) {
  if (const Announcement listener = listener_to_announcements()) listener(text);
}

}  // namespace carom::inline base
