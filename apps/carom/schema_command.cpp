#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "model_io/schema.h"

namespace carom {

void add_schema_command(Command app, int& exit_code) {
  auto reference = std::make_shared<bool>(false);
  Command command = app.add_subcommand("schema", "Print the JSON Schema of the model file, for editors");
  command.add_flag("--reference", *reference, "print the reference page (Markdown) instead");
  command.callback([reference, &exit_code] {
    fmt::print("{}", *reference ? reference_page() : json_schema());  // both end with a line
    exit_code = exit_done;
  });
}

}  // namespace carom
