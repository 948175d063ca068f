#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "durability/contact_wear.h"

// A model run block by block: the wear of one run stands for all cycles of its block, and enlarges the clearances of
// the joints for the next one.
namespace carom::inline studies {

// One joint after one block.
struct WearBlock {
  int block = 0;
  double cycles = 0;  // so far
  std::string contact;
  double clearance = 0;                           // m, radial, with which the block ran
  double force_distance = 0;                      // N m, of the block
  double bearing_volume = 0, journal_volume = 0;  // m³, of the block
  double bearing_growth = 0, journal_growth = 0;  // m, by which radii change after it
  double bearing_depth = 0;                       // m, where the bearing is worn most, of the block
};

// A row of the table and back; none where a line is not whole.
extern const char* const wear_block_columns;
std::string csv_of(const WearBlock& row);
std::optional<WearBlock> read_wear_block(const std::string& line);

struct WearBlocksRequest {
  std::vector<std::string> contacts;  // joints whose clearances grow; empty: all with clearance
  double cycles = 1;                  // of one block
  std::optional<double> from = {};    // s, from which on a run counts
  std::size_t sectors = 72;
  bool mean_growth = true;  // false: clearances grow by the deepest place
};

class WearBlocks {
 public:
  // Throws InputError where no joint with clearance is asked for. The model is kept, and its clearances grow.
  WearBlocks(Model model, const WearBlocksRequest& request);
  WearBlocks(const WearBlocks&) = delete;
  WearBlocks& operator=(const WearBlocks&) = delete;

  std::size_t joint_count() const { return joints_.size(); }
  // Names and radial clearances of now, m.
  std::vector<std::pair<std::string, double>> clearances() const;
  const std::vector<WearBlock>& rows() const { return rows_; }
  int finished() const { return static_cast<int>(rows_.size() / joints_.size()); }

  // A row of a block that was finished before, in the order of the joints.
  void take(const WearBlock& row);
  // The model of the next block, with the clearances of now; its result then makes the rows of the block.
  const Model& next_model();
  void add_block(const ResultReader& result);

 private:
  Model model_;
  std::vector<ElementModel*> joints_;  // of the model
  WearRequest wear_;
  bool mean_growth_;
  double cycles_;
  std::vector<WearBlock> rows_;
};

}  // namespace carom::inline studies
