#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"

// Pieces of HTML. All arguments are plain text unless they say otherwise, and come out escaped.
namespace carom::inline reporting {

/// Safe between tags and inside quoted attributes; valid UTF-8 whatever came in.
std::string escaped_html(const std::string& text);

/// Safe inside a script element: no "<" remains.
std::string escaped_json(std::string json);

std::string paragraph(const std::string& text, const std::string& style = {});

/// Names and what is to be said of them, side by side.
struct Fact {
  std::string name, value;
};
std::string facts_table(const std::vector<Fact>& facts);

/// Columns with a head; those after the first `texts` hold numbers, to the right.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts);

/// A drawing in the text itself.
inline constexpr double panel_width = 400;  // points, of a figure of one panel
std::string inline_figure(const Figure& figure, const std::string& caption = {}, const std::string& style = {});

/// A text with numbered lines.
std::string listing(const std::string& text);

/// Words of a command line as a shell reads them.
std::string shell_word(const std::string& word);

}  // namespace carom::inline reporting
