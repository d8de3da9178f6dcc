#include "tsubu/base/settings_table.hpp"

#include <array>
#include <charconv>

#include "tsubu/base/setting_value.hpp"

namespace tsubu::detail {
namespace {

constexpr auto table = std::to_array<setting>({
    {"pes", "N", "number of PEs; default: the cores this process may use (under mpirun: those of its ranks)",
     [](settings& s, std::string_view v, const std::string& source) {
       s.pes = number<int>(v, 1, 1'000'000, source, "a number of PEs");
     }},
    {"pes-per-rank", "K", "under mpirun: each rank is K PEs, threads that meet without MPI; default: 1",
     [](settings& s, std::string_view v, const std::string& source) {
       s.pes_per_rank = number<int>(v, 1, 1024, source, "a number of PEs");
     },
     setting_scope::mpi},
    {"threads", "N",
     "on threads: N of them carry the PEs; default: one for each PE, or for each core where PEs are more and take "
     "turns",
     [](settings& s, std::string_view v, const std::string& source) {
       s.threads = number<int>(v, 1, 1024, source, "a number of threads");
     },
     setting_scope::threads},
    {"transport", "NAME",
     "threads, sim (a simulated machine), mpi (the MPI of the launcher), openmpi, mpich or mpi_abi (any with the "
     "standard ABI); default: mpi under mpirun, else threads",
     [](settings& s, std::string_view v, const std::string& source) {
       s.transport = one_of({"threads", "sim", "mpi", "openmpi", "mpich", "mpi_abi"}, v, source);
     }},
    {"machine", "NAME|FILE", "on sim: the machine to simulate, one of Tsubu's or a TOML file; default: cluster",
     [](settings& s, std::string_view v, const std::string&) { s.machine = v; }, setting_scope::simulation},
    {"machines", "DIR", "on sim: folder of machine files, looked into before those that Tsubu brings",
     [](settings& s, std::string_view v, const std::string&) { s.machines = v; }, setting_scope::simulation, true},
    {"seed", "N", "on sim: vary what the order of things may legally be, by this seed; default: 0, nothing is varied",
     [](settings& s, std::string_view v, const std::string& source) {
       s.seed = number<unsigned long long>(v, 0, ~0ULL, source, "a number");
     },
     setting_scope::simulation},
    {"time-limit", "SECONDS",
     "on sim: end the job with an error when so much of its own time has passed; default: none",
     [](settings& s, std::string_view v, const std::string& source) {
       double seconds = 0;
       const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), seconds);
       if (error != std::errc{} || end != v.data() + v.size() || !(seconds > 0) || seconds > 1e6) {
         refuse(source + " needs a number of seconds above 0, such as 0.5 or 1e-3, not '" + std::string(v) + "'");
       }
       s.time_limit_s = seconds;
     },
     setting_scope::simulation},
    {"work", "annotated|measured[:SCALE]",
     "on sim: what computing takes: as work() says, or by this computer's clock, times SCALE; default: annotated",
     [](settings& s, std::string_view v, const std::string& source) {
       const std::size_t colon = v.find(':');
       const std::string_view kind = v.substr(0, colon);
       bool good = kind == "measured" || (kind == "annotated" && colon == v.npos);
       if (colon != v.npos) {
         const std::string_view scale = v.substr(colon + 1);
         const auto [end, error] = std::from_chars(scale.data(), scale.data() + scale.size(), s.work_scale);
         good = good && error == std::errc{} && end == v.data() + v.size() && s.work_scale > 0 && s.work_scale < 1e6;
       }
       if (!good) {
         refuse(source + " needs annotated, measured, or measured and a scale such as measured:1.5, not '" +
                std::string(v) + "'");
       }
       s.measured_work = kind == "measured";
     },
     setting_scope::simulation},
    {"predict", "none|size|selector",
     "on sim: what an idle PE predicts of its next message, on machines that can (anet); default: none",
     [](settings& s, std::string_view v, const std::string& source) {
       if (v != "none" && v != "size" && v != "selector") {
         refuse(source + " needs none, size or selector, not '" + std::string(v) + "'");
       }
       s.predict = v;
     },
     setting_scope::simulation},
    {"watch", "clock",
     "on sim: says so when the program reads this computer's clock; processes that it starts may not; default: no",
     [](settings& s, std::string_view v, const std::string& source) {
       if (v != "clock") refuse(source + " needs clock, not '" + std::string(v) + "'");
       s.watch_clock = true;
     },
     setting_scope::simulation},
    {"fault", "pe:K@US", "on sim: PE K dies when US microseconds of the job's own time have passed; default: none",
     [](settings& s, std::string_view v, const std::string& source) {
       const std::size_t at = v.find('@');
       double us = 0;
       const char* const begin = at == v.npos ? v.data() + v.size() : v.data() + at + 1;
       const auto [end, error] = std::from_chars(begin, v.data() + v.size(), us);
       if (!v.starts_with("pe:") || error != std::errc{} || end != v.data() + v.size() || !(us >= 0) || us > 1e12) {
         refuse(source + " needs a PE and its last microsecond, such as pe:2@150, not '" + std::string(v) + "'");
       }
       s.fault_pe = number<int>(v.substr(3, at - 3), 0, 999'999, source, "a PE");
       s.fault_us = us;
     },
     setting_scope::simulation},
    {"trace", "FILE", "on sim: write what each PE did and when, for Perfetto or chrome://tracing",
     [](settings& s, std::string_view v, const std::string&) { s.trace = v; }, setting_scope::simulation},
    {"report", "FILE|-", "on sim: write where the simulated time went, as JSON; -: a table on the standard error",
     [](settings& s, std::string_view v, const std::string&) { s.report = v; }, setting_scope::simulation},
    {"batch", "BYTES", "room in a batch of packets, 256 to 16777216; default: the transport's choice",
     [](settings& s, std::string_view v, const std::string& source) {
       s.batch_bytes = (number<std::size_t>(v, 256, 16'777'216, source, "a number of bytes") + 63) / 64 * 64;
     }},
    {"least-batch", "BYTES",
     "batches are tuned to the traffic between this and their room; the same as --tsubu-batch: never; default: 4096",
     [](settings& s, std::string_view v, const std::string& source) {
       s.least_batch_bytes = number<std::size_t>(v, 64, 16'777'216, source, "a number of bytes");
     }},
    {"age", "US", "microseconds that a message waits at most in a batch of a busy PE, 1 to 1000000; default: 50",
     [](settings& s, std::string_view v, const std::string& source) {
       s.oldest_us = number<int>(v, 1, 1'000'000, source, "a number of microseconds");
     }},
    {"memory", "BYTES", "memory of a PE for messages; what waits beyond it goes to a file in TMPDIR; default: 64M",
     [](settings& s, std::string_view v, const std::string& source) { s.memory_bytes = bytes(v, 65536, source); }},
    {"spill", "BYTES", "the most a PE may keep in that file; beyond it the job ends; default: 4G",
     [](settings& s, std::string_view v, const std::string& source) { s.spill_bytes = bytes(v, 0, source); }},
    {"data-memory", "BYTES",
     "memory of a PE for shared arrays; what is not used goes to PEs with room, then to a file; default: no limit",
     [](settings& s, std::string_view v, const std::string& source) { s.data_memory_bytes = bytes(v, 65536, source); }},
    {"data-spill", "BYTES", "the most a PE may keep of shared arrays in that file; default: 64G",
     [](settings& s, std::string_view v, const std::string& source) { s.data_spill_bytes = bytes(v, 0, source); }},
    {"profile", "FILE", "write who used what shared data, and when, and what each protocol would have cost, as JSON",
     [](settings& s, std::string_view v, const std::string& source) { s.profile = file_name(v, source); }},
    {"use-profile", "FILE", "shared data gets the protocol that is best by that profile of an earlier run",
     [](settings& s, std::string_view v, const std::string& source) { s.use_profile = file_name(v, source); }},
    {"force", "", "files that are written may replace such as are not of their kind",
     [](settings& s, std::string_view v, const std::string& source) { s.force = flag(v, source); }},
    {"mailboxes", "BYTES",
     "the most that messages may take which wait for their objects on a PE; beyond it the job ends; default: 1G",
     [](settings& s, std::string_view v, const std::string& source) { s.mailbox_bytes = bytes(v, 65536, source); }},
    {"checksum", "", "send a checksum with each batch, and end the job if one arrives damaged",
     [](settings& s, std::string_view v, const std::string& source) { s.checksum = flag(v, source); }},
    {"hops", "1|2|3",
     "links a message goes over at most: 1 straight, 2 or 3 over a grid of PEs; default: 1 up to 64 PEs, then as links "
     "and nodes allow",
     [](settings& s, std::string_view v, const std::string& source) {
       s.hops = number<int>(v, 1, 3, source, "a number of hops");
     }},
    {"bind", "on|off", "bind PEs that share a process to a core each, when there are enough; default: on",
     [](settings& s, std::string_view v, const std::string& source) { s.bind = on_or_off(v, source); }},
    {"slice", "US",
     "where ranks or threads are more than cores, each has a core for so many microseconds at a time (Linux 6.12); 0: "
     "for as many as the kernel likes; default: 100",
     [](settings& s, std::string_view v, const std::string& source) {
       s.slice_us = v == "0" ? 0 : number<int>(v, 100, 100'000, source, "0, or a number of microseconds");
     }},
    {"shared", "on|off", "under mpirun: ranks of one node pass messages through memory that they share; default: on",
     [](settings& s, std::string_view v, const std::string& source) { s.share_memory = on_or_off(v, source); },
     setting_scope::mpi, true},
    {"mpi", "messages|windows",
     "under mpirun: what goes through MPI is sent and received, or put into windows; default: messages",
     [](settings& s, std::string_view v, const std::string& source) {
       s.mpi_windows = one_of({"messages", "windows"}, v, source) == "windows";
     },
     setting_scope::mpi, true},
    {"mpi-start", "SECONDS",
     "under mpirun: a process that waits longer than that in MPI_Init ends; 0: it waits for ever; default: 60",
     [](settings& s, std::string_view v, const std::string& source) {
       s.mpi_start_s = number<int>(v, 0, 1'000'000, source, "a number of seconds");
     },
     setting_scope::mpi, true},
    {"mpi-end", "SECONDS",
     "under mpirun: a process whose MPI_Finalize has not returned after that ends without it; 0: it waits for ever; "
     "default: 30",
     [](settings& s, std::string_view v, const std::string& source) {
       s.mpi_end_s = number<int>(v, 0, 1'000'000, source, "a number of seconds");
     },
     setting_scope::mpi, true},
    {"mpi-library", "FILE",
     "under mpirun: the libmpi_abi.so.1 that the transport mpi_abi runs on; default: what LD_LIBRARY_PATH leads to, "
     "the "
     "launcher's own, or the system's",
     [](settings& s, std::string_view v, const std::string& source) { s.mpi_library = file_name(v, source); },
     setting_scope::mpi, true},
    {"pretended-nodes", "N", "under mpirun, for tests: ranks are dealt to N nodes, as if there were so many",
     [](settings& s, std::string_view v, const std::string& source) {
       s.pretended_nodes = number<int>(v, 1, 1'000'000, source, "a number of nodes");
     },
     setting_scope::mpi, true},
    {"predictor", "SCHEME",
     "idle PEs expect a message and prepare for it: off, last, frequency, markov, markov2 or trace; default: off",
     [](settings& s, std::string_view v, const std::string& source) {
       s.predictor = one_of({"off", "last", "frequency", "markov", "markov2", "trace"}, v, source);
     }},
    {"predict-when", "always|worthwhile",
     "worthwhile: not where a PE is idle for less time than it takes, by what it has been before; default: always",
     [](settings& s, std::string_view v, const std::string& source) {
       s.predict_worthwhile = one_of({"always", "worthwhile"}, v, source) == "worthwhile";
     }},
    {"trace-record", "FILE", "write what messages each PE gets to FILE.0, FILE.1, .., for --tsubu-trace-predict",
     [](settings& s, std::string_view v, const std::string& source) { s.trace_record = file_name(v, source); }},
    {"trace-predict", "FILE", "expect the messages of the run that has written FILE: --tsubu-predictor=trace",
     [](settings& s, std::string_view v, const std::string& source) {
       s.trace_predict = file_name(v, source);
       s.predictor = "trace";
     }},
    {"scheduler", "NAME", "order of ready tasks: round-robin, lifo, priority, or one the program registered",
     [](settings& s, std::string_view v, const std::string&) { s.scheduler = v; }},
    {"plugins", "DIR", "folder of the transport plug-ins",
     [](settings& s, std::string_view v, const std::string&) { s.plugins = v; }},
    {"log", "LEVEL",
     "the least level of lines by say_debug() and its like: debug, info, warning, off; default: warning",
     [](settings& s, std::string_view v, const std::string& source) {
       s.log = one_of({"debug", "info", "warning", "off"}, v, source);
     }},
    {"lines", "plain|pe|time|pe,time", "what stands in front of lines by say(); default: plain, nothing",
     [](settings& s, std::string_view v, const std::string& source) {
       s.lines_with_pe = v == "pe" || v == "pe,time" || v == "time,pe";
       s.lines_with_time = v == "time" || v == "pe,time" || v == "time,pe";
       if (v != "plain" && !s.lines_with_pe && !s.lines_with_time)
         refuse(source + " needs plain, pe, time or pe,time, not '" + std::string(v) + "'");
     }},
    {"progress", "auto|on|off|SECONDS",
     "show how far the program is: auto where the standard error is a terminal, on elsewhere too, as a line every ten "
     "seconds or every so many; default: auto",
     [](settings& s, std::string_view v, const std::string& source) {
       s.progress = v;
       s.progress_s = 0;
       if (v == "auto" || v == "on" || v == "off") return;
       const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), s.progress_s);
       if (error != std::errc{} || end != v.data() + v.size() || !(s.progress_s >= 0.001) || s.progress_s > 1e6)
         refuse(source + " needs auto, on, off or a number of seconds from 0.001, not '" + std::string(v) + "'");
       s.progress = "on";
     }},
    {"collect", "off|idle|auto|SECONDS",
     "when objects that nobody can reach end: when collect() is called, when a PE is idle as well, also when as many "
     "were made as had been left, or so many seconds after the last time; default: auto",
     [](settings& s, std::string_view v, const std::string& source) {
       s.collect = v;
       if (v == "auto" || v == "idle" || v == "off") return;
       const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), s.collect_s);
       if (error != std::errc{} || end != v.data() + v.size() || !(s.collect_s >= 0) || s.collect_s > 1e6)
         refuse(source + " needs off, idle, auto or a number of seconds, not '" + std::string(v) + "'");
       s.collect = "timed";
     }},
    {"collect-slice", "US", "of a collection, before a PE turns to what else there is, in microseconds; default: 50",
     [](settings& s, std::string_view v, const std::string& source) {
       s.collect_slice_us = number<int>(v, 1, 1'000'000, source, "a number of microseconds");
     }},
    {"eulash-memory", "machine|views",
     "a placed program's shared memory: the machine's, where all PEs are threads of one process, or a view of it for "
     "each PE, as everywhere else; default: machine",
     [](settings& s, std::string_view v, const std::string& source) {
       s.eulash_views = one_of({"machine", "views"}, v, source) == "views";
     }},
    {"explain", "", "say what was chosen by itself, such as how a plan exchanges (docs/plans.md), and why",
     [](settings& s, std::string_view v, const std::string& source) { s.explain = flag(v, source); }},
    {"stats", "", "at the end, print the messages of each handler, the batches and why they left, and the time asleep",
     [](settings& s, std::string_view v, const std::string& source) { s.stats = flag(v, source); }},
    {"help", "", "print this and end",
     [](settings& s, std::string_view v, const std::string& source) { s.help = flag(v, source); }},
});

}  // namespace

std::span<const setting> all_settings() { return table; }

}  // namespace tsubu::detail
