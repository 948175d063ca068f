#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace carom::inline studies {

// What a process reports the first one when it asks for a run.
struct RankMessage {
  bool failed = false;    // the process cannot go on; the text says why
  std::string text = {};  // the line of a record; empty: there is none
};

// The processes of a program started by mpirun or srun; alone, if it was not, or was built without MPI. The first one
// gives out the work, so that none waits while there is some left.
class Ranks {
 public:
  Ranks();
  // Sends the others home, if they were not served, and leaves MPI.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool first() const { return rank_ == 0; }
  int size() const { return size_; }

  // The first: answers all others until each was reported that nothing is left. To be called by one thread only.
  void serve(const std::function<std::optional<std::size_t>(const RankMessage&)>& answer);

  // The others: hands in what was done, and asks for the next run; none: nothing is left.
  std::optional<std::size_t> ask(const RankMessage& done) const;

 private:
  int rank_ = 0, size_ = 1;
  bool served_ = false;
};

// Whether it was built with MPI.
bool has_mpi();

// From now on the processes but the first print nothing, so that messages come once.
void silence_other_ranks();

}  // namespace carom::inline studies
