#include "reporting/page.h"

#include <fmt/format.h>

#include "reporting/html.h"

namespace carom::inline reporting {

std::string html_of(const Page& page) {
  // The policy keeps the promise: a browser will not fetch anything for this page.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" class=\"no-script\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<!-- Written by Carom -->\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>\n{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n{2}<nav>",
      escaped_html(page.title), page_css, page.lead);
  for (const PageSection& section : page.sections)
    html += fmt::format("<a href=\"#{}\">{}</a>", section.id, escaped_html(section.title));
  html += "</nav>\n</header>\n<main>\n";
  for (const PageSection& section : page.sections) {
    html += fmt::format("<section id=\"{}\"{}>\n<h2>{}</h2>\n{}</section>\n", section.id,
                        section.new_page ? " class=\"new-page\"" : "", escaped_html(section.title), section.html);
  }
  html += "</main>\n";
  if (!page.script.empty()) html += fmt::format("<script>\n{}</script>\n", page.script);
  return html + "</body>\n</html>\n";
}

}  // namespace carom::inline reporting
