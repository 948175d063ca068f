#pragma once

#include <filesystem>
#include <string>

namespace carom {

// Whether somebody sits in front of a screen.
bool can_open_browser();

// Opens an address with a secret in it in the browser. Command lines can be read by all users of a computer, so the
// browser is handed a file that only this user can read and that leads on to the address. The file lives as long as
// this does.
class BrowserPage {
 public:
  explicit BrowserPage(const std::string& address);
  ~BrowserPage();
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;

 private:
  std::filesystem::path folder_;
};

}  // namespace carom
