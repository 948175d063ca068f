#include "studies/ranks.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef CAROM_HAS_MPI
#include <chrono>
#include <thread>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace carom::inline studies {

#ifdef CAROM_HAS_MPI

namespace {

// The number of this process as its launcher reports it before MPI begins; null: there is no launcher.
const char* launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(name)) return rank;
  return nullptr;
}

}  // namespace

#endif

bool has_mpi() {
#ifdef CAROM_HAS_MPI
  return true;
#else
  return false;
#endif
}

void silence_other_ranks() {
#ifdef CAROM_HAS_MPI
  const char* rank = launched_rank();
  if (!rank || std::strcmp(rank, "0") == 0) return;
  // Neither can fail in a way that matters: at worst messages come twice.
  if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) return;
#endif
}

#ifdef CAROM_HAS_MPI

namespace {

constexpr int tag_record = 1, tag_error = 2, tag_work = 3;
constexpr long long nothing_left = -1;

}  // namespace

Ranks::Ranks() {
  if (!launched_rank()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  int running = 0, over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0 || over != 0) return;
  if (first() && !served_) serve([](const RankMessage&) { return std::nullopt; });
  MPI_Finalize();
}

void Ranks::serve(const std::function<std::optional<std::size_t>(const RankMessage&)>& answer) {
  served_ = true;
  for (int asking = size_ - 1; asking > 0;) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) {
      // Waiting inside MPI would keep a core busy on which this process computes, too.
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      continue;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    RankMessage message{.failed = status.MPI_TAG == tag_error,
                        .text = std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const auto next = answer(message);
    const long long index = next ? static_cast<long long>(*next) : nothing_left;
    MPI_Send(&index, 1, MPI_LONG_LONG, status.MPI_SOURCE, tag_work, MPI_COMM_WORLD);
    if (!next) --asking;
  }
}

std::optional<std::size_t> Ranks::ask(const RankMessage& done) const {
  MPI_Send(done.text.data(), static_cast<int>(done.text.size()), MPI_CHAR, 0, done.failed ? tag_error : tag_record,
           MPI_COMM_WORLD);
  long long index = nothing_left;
  MPI_Recv(&index, 1, MPI_LONG_LONG, 0, tag_work, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return index == nothing_left ? std::nullopt : std::optional(static_cast<std::size_t>(index));
}

#else

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

void Ranks::serve(const std::function<std::optional<std::size_t>(const RankMessage&)>&) {
  served_ = true;
}

std::optional<std::size_t> Ranks::ask(const RankMessage&) const {
  return std::nullopt;
}

#endif

}  // namespace carom::inline studies
