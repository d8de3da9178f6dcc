// Every option and environment variable of Tsubu, in one table.
//
// `--tsubu-pes=4` and TSUBU_PES=4 say the same; the option wins. An option or a TSUBU_ variable that is
// not in the table is an error, which names the nearest that is, and so are an option that is given twice and one whose
// dashes, underscores or capitals are others: a setting is never ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tsubu {

// The jobs that a setting means something to.
enum class setting_scope : std::uint8_t { any_job, threads, simulation, mpi };

struct settings {
  int pes = 0;            // 0: one per core this process may use
  int pes_per_rank = 1;   // under MPI: PEs in each process
  int threads = 0;        // on threads: so many carry the PEs; 0: one for each PE, or for each core if these are fewer
  std::string transport;  // empty: as the launcher's environment says
  std::string machine;    // simulated: its name or file; empty: cluster
  std::string machines;   // simulated: the folder that is looked into before where Tsubu was built or installed
  unsigned long long seed = 0;  // simulated: of all that is random; 0: nothing is
  double time_limit_s = 0;      // simulated: in the job's own time; 0: none
  bool measured_work = false;   // simulated: by this computer's clock, not by work()
  double work_scale = 1;        // simulated and measured: so many times as long
  std::string predict;          // simulated: of the next message, "size" or "selector"; empty or "none": nothing
  int fault_pe = -1;            // simulated: the PE that dies; -1: none
  double fault_us = 0;          // simulated: when, in the job's own time
  bool watch_clock = false;     // simulated: say so when the program reads this computer's clock
  std::string trace;            // simulated: the file for what each PE did and when; empty: none
  std::string report;           // simulated: the file for where time went, "-" for a table; empty: none
  std::size_t batch_bytes = 0;  // 0: the transport's own choice
  std::size_t least_batch_bytes = 4096;
  double oldest_us = 50;                                 // of an unsent message of a busy PE
  std::size_t memory_bytes = std::size_t{64} << 20;      // of a PE, for messages
  std::size_t spill_bytes = std::size_t{4} << 30;        // of a PE, in the file behind it
  std::size_t mailbox_bytes = std::size_t{1} << 30;      // of a PE, of messages that wait for their objects
  std::size_t data_memory_bytes = ~std::size_t{0};       // of a PE, for shared arrays
  std::size_t data_spill_bytes = std::size_t{64} << 30;  // of a PE, in the file behind it
  std::string profile;                                   // the file for what was done to shared data; empty: none
  std::string use_profile;                               // the file of an earlier job; empty: none
  bool force = false;                                    // written files replace whatever is there
  bool checksum = false;                                 // of batches, beside what the network checks itself
  int hops = 0;                                          // 0: as many as the number of PEs suggests
  bool bind = true;                                      // bind PEs to cores when there are enough
  int slice_us = 100;                                    // of threads that share cores; 0: as the kernel has it
  bool share_memory = true;                              // under MPI: between ranks of a node
  bool mpi_windows = false;                              // under MPI: puts into windows instead of messages
  int mpi_start_s = 60;                                  // under MPI: for MPI_Init; 0: for ever
  int mpi_end_s = 30;                                    // under MPI: for MPI_Finalize; 0: for ever
  std::string mpi_library;                               // under MPI: of the standard ABI; empty: looked for
  int pretended_nodes = 0;                               // under MPI: for tests; 0: the machine's own
  std::string predictor = "off";                         // or last, frequency, markov, markov2, trace
  bool predict_worthwhile = false;                       // only where a PE is idle for long enough, as it seems
  std::string trace_record;                              // the file for what messages came; empty: none
  std::string trace_predict;                             // the file of an earlier job; empty: none
  std::string collect = "auto";                          // or off, idle; where seconds are given: timed
  double collect_s = 0;                                  // between two collections
  int collect_slice_us = 50;                             // of a collection, between two steps of a PE
  std::string scheduler;                                 // empty: round-robin
  std::string plugins;                                   // empty: where Tsubu was built or installed
  std::string log = "warning";                           // the least level of lines: debug, info, warning, off
  bool lines_with_pe = false;                            // in front of what say() prints
  bool lines_with_time = false;                          // likewise
  std::string progress = "auto";                         // or on, off; where seconds are given: on
  double progress_s = 0;                                 // between two lines of it; 0: as it is where it is drawn
  bool eulash_views = false;                             // placed programs: a view of the memory for each PE
  bool explain = false;                                  // say what the runtime has chosen, and why
  bool stats = false;                                    // print the accounts of all PEs at the end
  bool help = false;

  // What was given that only some jobs know: as the user wrote it. The job refuses what is not for it.
  struct scoped {
    std::string source;
    setting_scope scope;
  };
  std::vector<scoped> given_for;
};

// Takes Tsubu's options out of argv (and lowers argc), reads the environment. What is wrong ends the
// process with one line and exit code 2.
settings read_settings(int& argc, char** argv);

// The table as text: option, variable, meaning.
std::string settings_help();

// The one of `known` that is nearest to `word` by edit distance, or "" if none is near.
std::string nearest(std::string_view word, const std::string_view* known, std::size_t count);

}  // namespace tsubu
