#pragma once

#include <cstdio>
#include <string>

#include "command_line.h"

// What a terminal can show, and what is written to one.
namespace carom {

enum class Tint { error, warning, success };

// --color of every command: auto (the default) colours what goes to a terminal, unless NO_COLOR is set or TERM is dumb.
void add_color_option(Command app);

// The text in the colour, where the stream takes colours; else as it is.
std::string tinted(Tint tint, const std::string& text, std::FILE* stream);

// Prints "carom: message" on standard error.
void print_error(const std::string& message);
// The same with what problems say, a line each, as ProblemList::text() gives them.
void print_problems(const std::string& lines);
// The summary of a run, as to_text(RunSummary) gives it, on standard output: how it ended, and warnings, stand out.
void print_summary(const std::string& text);

// Columns of the terminal behind standard error, now; 80 where nobody knows.
int terminal_columns();

// Progress in one line that fits into so many columns: what matters least is left out first, the bar shrinks.
std::string progress_line(double done, const std::string& text, const std::string& left, int columns);

}  // namespace carom
