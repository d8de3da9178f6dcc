#include "tsubu/base/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"

namespace tsubu {
namespace {

struct setting {
  std::string_view name;   // "pes": option --tsubu-pes, variable TSUBU_PES
  std::string_view value;  // how its value is shown in the help
  std::string_view help;
  void (*set)(settings&, std::string_view value, const std::string& source);
  setting_scope scope = setting_scope::any_job;
  // Variables that describe the computer stay set for programs that are not of that scope.
  bool of_computer = false;
};

[[noreturn]] void refuse(const std::string& message) { end_job(exit_code::usage, one_line("tsubu: " + message)); }

template <class N>
N number(std::string_view text, N least, N most, const std::string& source, const char* what) {
  N n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least || n > most) {
    refuse(source + " needs " + what + " from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
           std::string(text) + "'");
  }
  return n;
}

// "65536", "64K", "64M", "2G".
std::size_t bytes(std::string_view text, std::size_t least, const std::string& source) {
  constexpr std::size_t most = std::size_t{1} << 50;
  const std::string_view whole = text;
  int shift = 0;
  if (!text.empty()) {
    constexpr std::string_view units = "KMG";
    const std::size_t unit = units.find(text.back());
    if (unit != std::string_view::npos) {
      shift = 10 * static_cast<int>(unit + 1);
      text.remove_suffix(1);
    }
  }
  std::size_t n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n > most >> shift || n << shift < least) {
    refuse(source + " needs a number of bytes, " + std::to_string(least) +
           " at least, such as 65536, 64M or 2G, not '" + std::string(whole) + "'");
  }
  return n << shift;
}

bool on_or_off(std::string_view text, const std::string& source) {
  if (text != "on" && text != "off") refuse(source + " needs on or off, not '" + std::string(text) + "'");
  return text == "on";
}

// One of several words.
template <std::size_t N>
std::string_view one_of(const std::string_view (&known)[N], std::string_view text, const std::string& source) {
  if (std::find(std::begin(known), std::end(known), text) != std::end(known)) return text;
  std::string list(known[0]);
  for (std::size_t i = 1; i < N; ++i) list.append(i + 1 < N ? ", " : " and ").append(known[i]);
  const std::string near = nearest(text, known, N);
  refuse(source + " knows " + list + ", not '" + std::string(text) + "'" +
         (near.empty() ? "" : "; did you mean " + near + "?"));
}

// For an option that needs no value.
bool flag(std::string_view text, const std::string& source) {
  if (text.empty() || text == "on" || text == "1") return true;
  if (text != "off" && text != "0") refuse(source + " needs on, off or no value, not '" + std::string(text) + "'");
  return false;
}

std::string_view file_name(std::string_view text, const std::string& source) {
  if (text.empty()) refuse(source + " needs the name of a file");
  return text;
}

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
     "threads, sim (a simulated machine), mpi (the MPI of the launcher), openmpi or mpich; default: mpi under mpirun, "
     "else threads",
     [](settings& s, std::string_view v, const std::string& source) {
       s.transport = one_of({"threads", "sim", "mpi", "openmpi", "mpich"}, v, source);
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
    {"explain", "", "say what was chosen by itself, such as how a plan exchanges (docs/plans.md), and why",
     [](settings& s, std::string_view v, const std::string& source) { s.explain = flag(v, source); }},
    {"stats", "", "at the end, print the messages of each handler, the batches and why they left, and the time asleep",
     [](settings& s, std::string_view v, const std::string& source) { s.stats = flag(v, source); }},
    {"help", "", "print this and end",
     [](settings& s, std::string_view v, const std::string& source) { s.help = flag(v, source); }},
});

constexpr std::string_view option_prefix = "--tsubu-";
constexpr std::string_view variable_prefix = "TSUBU_";

// What module files, Spack and CMake call the folder that a package is installed in: theirs, and no settings.
constexpr std::string_view names_of_folder[] = {"TSUBU_ROOT", "TSUBU_DIR", "TSUBU_HOME"};

std::string variable_name(std::string_view name) {
  std::string variable(variable_prefix);
  for (char c : name) variable += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return variable;
}

// As names are in the table.
std::string plain_name(std::string_view written) {
  std::string name;
  for (char c : written) name += c == '_' ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return name;
}

// `source` is none of ours, though its name begins as if it were.
[[noreturn]] void refuse_unknown(std::string_view name, const std::string& source) {
  std::vector<std::string_view> names;
  for (const setting& one : table) names.push_back(one.name);
  const std::string near = nearest(plain_name(name), names.data(), names.size());
  const bool option = source.starts_with("-");
  std::string hint = "; --tsubu-help lists the options";
  if (!near.empty()) {
    hint = "; did you mean ";
    hint += (option ? std::string(option_prefix) + near : variable_name(near)) + "?";
  }
  refuse("unknown " + std::string(option ? "option " : "variable ") + source + hint);
}

// What an option or a variable says.
struct written_setting {
  std::string source;  // as the user wrote it, without the value
  std::string_view value;
  bool has_value;
};

void set(settings& s, std::string_view name, const written_setting& by) {
  const auto one = std::find_if(table.begin(), table.end(), [&](const setting& any) { return any.name == name; });
  if (one == table.end()) refuse_unknown(name, by.source);
  if (!by.has_value && !one->value.empty()) {
    refuse(by.source + " needs a value: " + by.source + "=" + std::string(one->value));
  }
  one->set(s, by.value, by.source);
  const bool option = by.source.starts_with("-");
  if (one->scope != setting_scope::any_job && (option || !one->of_computer))
    s.given_for.push_back({by.source, one->scope});
}

// What follows in a word such as --tsubu-pes=2, -tsubu-pes, --tsubu_pes or --Tsubu-pes, all of which are meant for us.
std::optional<std::string_view> behind_our_name(std::string_view word) {
  constexpr std::string_view ours = "tsubu-";
  const std::size_t begin = word.find_first_not_of('-');
  if (begin == 0 || begin == word.npos || !plain_name(word.substr(begin)).starts_with(ours)) return std::nullopt;
  return word.substr(begin + ours.size());
}

void read_variables(settings& s) {
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
    const std::string_view entry = *v;
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = entry.substr(0, equals);
    if (name == "TSUBU") refuse("unknown variable TSUBU; variables are named as TSUBU_PES is, --tsubu-help lists them");
    if (!name.starts_with(variable_prefix)) continue;
    if (std::find(std::begin(names_of_folder), std::end(names_of_folder), name) != std::end(names_of_folder)) continue;
    set(s, plain_name(name.substr(variable_prefix.size())),
        {std::string(name), entry.substr(std::min(equals + 1, entry.size())), true});
  }
}

}  // namespace

std::string nearest(std::string_view word, const std::string_view* known, std::size_t count) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string_view other = known[k];
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= other.size(); ++j) {
        const std::size_t changed = diagonal + (word[i - 1] == other[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = other;
    }
  }
  return best;
}

settings read_settings(int& argc, char** argv) {
  settings s;
  read_variables(s);
  std::vector<std::string_view> given;
  int kept = 0;
  bool ours = true;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (i > 0 && word == "--") ours = false;
    if (i == 0 || !ours || !behind_our_name(word).has_value()) {
      argv[kept++] = argv[i];
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view option = word.substr(0, equals);
    if (!option.starts_with(option_prefix)) refuse_unknown(*behind_our_name(option), std::string(option));
    if (std::find(given.begin(), given.end(), option) != given.end()) {
      refuse(std::string(option) + " is given twice, the second time as '" + std::string(word) + "'");
    }
    given.push_back(option);
    set(s, option.substr(option_prefix.size()),
        {std::string(option), word.substr(std::min(equals + 1, word.size())), equals != word.size()});
  }
  argc = kept;
  argv[argc] = nullptr;
  return s;
}

std::string settings_help() {
  std::string text = "Options of Tsubu (each also as a variable, for instance TSUBU_PES=4):\n";
  for (const setting& one : table) {
    std::string option = "  --tsubu-" + std::string(one.name) + (one.value.empty() ? "" : "=" + std::string(one.value));
    option.resize(std::max<std::size_t>(option.size() + 1, 30), ' ');
    text += option + std::string(one.help) + '\n';
  }
  return text;
}

}  // namespace tsubu
