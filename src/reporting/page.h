#pragma once

#include <string>
#include <string_view>
#include <vector>

// A page in one file: it asks for nothing from anywhere, so that it can be sent, kept and opened from a disk. What kind
// of page it is (a result; later a study) is decided by who fills it.
namespace carom::inline reporting {

struct PageSection {
  std::string id, title;  // plain text
  std::string html;
  bool new_page = false;  // in print
};

struct Page {
  std::string title;  // plain text
  std::string lead;   // HTML below the title
  std::vector<PageSection> sections = {};
  std::string_view script = {};  // empty: none
};

/// The style of all pages and the script of those with a moving picture (built from page.css and animation.js).
extern const std::string_view page_css, animation_js;

/// The text of the file; its bytes depend on the page only.
std::string html_of(const Page& page);

}  // namespace carom::inline reporting
