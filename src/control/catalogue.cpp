#include "control/block.h"

namespace carom::inline control {

// One function per file of this room.
BlockDescription describe_dead_band();
BlockDescription describe_delay();
BlockDescription describe_first_order_lag();
BlockDescription describe_formula();
BlockDescription describe_held();
BlockDescription describe_hysteresis();
BlockDescription describe_integrator();
BlockDescription describe_limiter();
BlockDescription describe_maximum();
BlockDescription describe_measured();
BlockDescription describe_minimum();
BlockDescription describe_noise();
BlockDescription describe_output();
BlockDescription describe_pid();
BlockDescription describe_rate_limiter();
BlockDescription describe_sample_and_hold();
BlockDescription describe_second_order_lag();
BlockDescription describe_state_space();
BlockDescription describe_switch();
BlockDescription describe_table();
BlockDescription describe_table_2d();
BlockDescription describe_transfer_function();

namespace {

Catalogue<BlockDescription>& catalogue() {
  static Catalogue<BlockDescription> all({describe_dead_band(),
                                          describe_delay(),
                                          describe_first_order_lag(),
                                          describe_formula(),
                                          describe_held(),
                                          describe_hysteresis(),
                                          describe_integrator(),
                                          describe_limiter(),
                                          describe_maximum(),
                                          describe_measured(),
                                          describe_minimum(),
                                          describe_noise(),
                                          describe_output(),
                                          describe_pid(),
                                          describe_rate_limiter(),
                                          describe_sample_and_hold(),
                                          describe_second_order_lag(),
                                          describe_state_space(),
                                          describe_switch(),
                                          describe_table(),
                                          describe_table_2d(),
                                          describe_transfer_function()});
  return all;
}

}  // namespace

const Catalogue<BlockDescription>& block_catalogue() {
  return catalogue();
}

const BlockDescription* find_block(const std::string& type) {
  return catalogue().find(type);
}

bool add_block(BlockDescription description) {
  return catalogue().add(std::move(description));
}

ParameterDescription input_row(const std::string& name, const std::string& meaning) {
  return {.name = name,
          .kind = ParameterKind::function,
          .unit = "*",
          .meaning = meaning,
          .required = true,
          .arguments = {"t"}};
}

ParameterDescription gain_row() {
  return {.name = "gain", .unit = "*", .meaning = "factor of the output", .default_text = "1"};
}

ParameterDescription initial_row(const std::string& meaning) {
  return {.name = "initial", .unit = "*", .meaning = meaning, .default_text = "0"};
}

}  // namespace carom::inline control
