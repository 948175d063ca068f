#include "reporting/html.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "plotting/canvas.h"

namespace carom::inline reporting {
namespace {

// Paths to a hundredth of a point: half the text, the same picture.
std::string shortened_paths(const std::string& svg) {
  std::string result;
  bool in_path = false;
  for (std::size_t at = 0; at < svg.size();) {
    if (svg.compare(at, 4, " d=\"") == 0) {
      in_path = true;
      result += " d=\"";
      at += 4;
      continue;
    }
    in_path = in_path && svg[at] != '"';
    const std::size_t end = in_path ? svg.find_first_not_of("0123456789.-", at) : at;
    if (end == at || end == std::string::npos) {
      result += svg[at++];
      continue;
    }
    std::string number = fmt::format("{:.2f}", std::strtod(svg.substr(at, end - at).c_str(), nullptr));
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    result += number == "-0" ? "0" : number;
    at = end;
  }
  return result;
}

}  // namespace

std::string escaped_html(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escaped_json(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  return json;
}

std::string paragraph(const std::string& text, const std::string& style) {
  return fmt::format("<p{}>{}</p>\n", style.empty() ? "" : fmt::format(" class=\"{}\"", style), escaped_html(text));
}

std::string facts_table(const std::vector<Fact>& facts) {
  std::string html = "<table class=\"facts\"><tbody>\n";
  for (const Fact& fact : facts)
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped_html(fact.name), escaped_html(fact.value));
  return html + "</tbody></table>\n";
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts) {
  const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (std::size_t k = 0; k < cells.size(); ++k)
      html += fmt::format("<{0}{1}>{2}</{0}>", tag, k < texts ? "" : " class=\"number\"", escaped_html(cells[k]));
    return html + "</tr>\n";
  };
  std::string html = "<div class=\"scroll\"><table>\n<thead>" + row(head, "th") + "</thead>\n<tbody>\n";
  for (const auto& cells : rows) html += row(cells, "td");
  return html + "</tbody></table></div>\n";
}

std::string inline_figure(const Figure& figure, const std::string& caption, const std::string& style) {
  std::string svg = figure_svg(figure);
  svg.erase(0, svg.find("<svg"));  // the head of a file of its own
  svg = shortened_paths(svg);
  return fmt::format("<figure{}>{}{}</figure>\n", style.empty() ? "" : fmt::format(" class=\"{}\"", style), svg,
                     caption.empty() ? "" : fmt::format("<figcaption>{}</figcaption>", escaped_html(caption)));
}

std::string listing(const std::string& text) {
  std::string html = "<pre class=\"listing\">";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) html += "<span>" + escaped_html(line) + "</span>";
  return html + "</pre>\n";
}

std::string shell_word(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace carom::inline reporting
