#include "tsubu/run/end_watch.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "tsubu/base/check.hpp"
#include "tsubu/base/line_teller.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/run/launcher.hpp"
#include "tsubu/run/start_watch.hpp"

namespace tsubu::run_detail {
namespace {

std::string pes_of(int rank, int each) {
  const std::string first = std::to_string(rank * each);
  return each == 1 ? "PE " + first : "PEs " + first + " to " + std::to_string((rank + 1) * each - 1);
}

// The end of a process that waits in MPI_Finalize.
class late_end {
 public:
  late_end(end_limit limit, const transport::mpi_end& how) : limit_(limit), how_(how) {}

  std::chrono::milliseconds quarter() const { return std::chrono::milliseconds(250) * limit_.seconds; }

  // Each time that a quarter of the limit has passed, on a thread that watches.
  void quarter_has_passed() {
    if (quarters_ == 3) end("");
    if (quarters_ == 2 && (is_traced() || ends_.exchange(true))) return;
    if (++quarters_ == 2) code_ = detail::end_output(code_);
    if (quarters_ == 3) write_files();
  }

  // MPI_Finalize has returned. Does not return where that was too late.
  void go_on() {
    while (ends_.exchange(true)) ::pause();
  }

 private:
  // As exit() would; but a stream may be of a thread that never gives it back. Then this waits for ever, and so would
  // whoever opens a file or exits: nobody may go on from here.
  void write_files() {
    const start_watch other(quarter(),
                            [this] { end("; what it has written to files is lost, since a thread keeps one"); });
    std::fflush(nullptr);
  }

  [[noreturn]] void end(const std::string& lost) {
    if (how_.rank != 0) std::this_thread::sleep_for(behind_rank_0);
    const int code = lost.empty() || code_ != 0 ? code_ : exit_code::lost_output;
    detail::tell_line(printable_lines(
        "tsubu: " + pes_of(how_.rank, limit_.pes_per_rank) + ": MPI_Finalize of " + short_name(how_.library) +
        " has not returned for " + std::to_string(limit_.seconds) +
        " s, though the job has ended on all ranks: this process ends without it, with " + std::to_string(code & 0xff) +
        (how_.code ? "" : ", since what quick_exit() was given is not known") + lost +
        " (--tsubu-mpi-end=SECONDS waits longer; 0: for ever)"));
    if (how_.leave != nullptr) how_.leave(code);
    ::_exit(code);
  }

  // MPICH's launcher (Hydra 4.0) gives 9 or 1 as the job's code where a second rank leaves within some milliseconds of
  // the first. Rank 0 leaves first, where it hangs too, and the launcher has ended the others by then.
  static constexpr auto behind_rank_0 = std::chrono::milliseconds(300);

  const end_limit limit_;
  const transport::mpi_end how_;
  // What quick_exit() was given may be anything: nobody is to take for a success what is not known to be one.
  int code_ = how_.code.value_or(exit_code::unavailable);
  int quarters_ = 0;
  std::atomic<bool> ends_ = false;  // this way, or as it should
};

}  // namespace

void end_mpi_in_time(end_limit limit, const transport::mpi_end& how, void (*finalize)()) {
  late_end late(limit, how);
  std::optional<start_watch> watch;
  try {
    if (limit.seconds != 0) watch.emplace(late.quarter(), [&late] { late.quarter_has_passed(); });
  } catch (const std::system_error& e) {
    // MPI ends all the same, as a rule.
    detail::tell_line("tsubu: no thread to watch MPI_Finalize: " + std::string(e.what()));
  }
  finalize();
  late.go_on();
}

}  // namespace tsubu::run_detail
