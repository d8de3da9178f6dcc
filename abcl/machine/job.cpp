#include "abcl/machine/job.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

#include <atomic>
#include <charconv>
#include <utility>

#include "abcl/machine/node.hpp"
#include "abcl/machine/recorder.hpp"
#include "abcl/machine/statistics.hpp"
#include "abcl/machine/trace.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/run/run.hpp"

namespace abcl::machine {
namespace {

job_options options_of_job;
std::atomic<bool> trace_is_lost{false};  // which is told when it happens, and does not take a deadlock's report away

bool tells_at_the_end() { return !options_of_job.trace.empty() || options_of_job.stats; }

// For a deadlock report.
std::vector<std::string> not_exited() { return {"the program has not exited: no (exit v) was executed"}; }

// ---- what is told at the end

bool is_simulated() { return tsubu::transport_name() == "sim"; }
// Clocks of the simulated machine; else nanoseconds, and where the steady clock is another than that of PE 0, they are
// counted from when this node heard of the job.
std::int64_t raw_time() { return is_simulated() ? static_cast<std::int64_t>(tsubu::ticks()) : tsubu::now_ns(); }

void begin_node(std::int64_t start) {
  tsubu::remote::wait_reports& reports = tsubu::remote::current_pe->waits;
  reports.list_by(waits);
  reports.report_by(left_objects);
  if (tsubu::this_pe() == 0) reports.report_by(not_exited);
  if (options_of_job.trace.empty()) return;
  constexpr std::int64_t longest_way_ns = 1'000'000'000;
  const std::int64_t here = raw_time();
  const bool same_clock = is_simulated() || (start <= here && here - start < longest_way_ns);
  node& me = this_node();
  me.record.emplace(
      tsubu::this_pe(), tsubu::pe_count(),
      [origin = same_clock ? start : here] { return static_cast<double>(raw_time() - origin); }, is_simulated());
  me.cpu.record(&*me.record);
}

std::string take_events() {
  node& me = this_node();
  if (!me.record) return {};
  me.cpu.record(nullptr);
  const std::size_t left_out = me.record->left_out();
  return packed(tsubu::this_pe(), me.record->take(), left_out);
}

node_counts counted() { return {this_node().cpu.done(), this_node().cpu.objects()}; }

tsubu::task<void> tell_of_nodes() {
  if (!options_of_job.trace.empty()) {
    trace all;
    // One after the other: each may be large.
    for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) unpack(co_await tsubu::at(pe).now<take_events>(), all);
    if (!is_simulated()) begin_at_zero(all);
    for (const std::string& said : all.left_out) fmt::print(stderr, "abcl: {}\n", said);
    const std::string why =
        write_trace(options_of_job.trace, std::move(all), options_of_job.title, is_simulated() ? "clocks" : "ns");
    if (!why.empty()) fmt::print(stderr, "abcl: {} cannot be written: {}\n", options_of_job.trace, why);
    trace_is_lost = !why.empty();
  }
  if (options_of_job.stats) {
    std::vector<node_counts> nodes;
    for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) nodes.push_back(co_await tsubu::at(pe).now<counted>());
    fmt::print(stderr, "{}", shown(nodes));
  }
}
// When nothing is left to do, since the program has exited, or is in a deadlock.
void job_is_quiet() { tsubu::spawn(tell_of_nodes()); }

tsubu::task<void> end_with_error(std::string text) {
  co_await tell_of_nodes();
  tsubu::end_job(tsubu::exit_code::failed, text);
}
// When something has to be told of the job before it ends. The first error tells the reason.
void error_has_come(std::string text) {
  if (std::exchange(the_end().failed, true)) return;
  stop_all();
  tsubu::spawn(end_with_error(std::move(text)));
}

void check_trace_file() {
  struct stat there{};
  // To look into a pipe would end it for who reads it.
  const bool special = ::stat(options_of_job.trace.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
  if (options_of_job.trace.empty() || special) return;
  const tsubu::written_file looked_at({options_of_job.trace, {}, true});  // of which nothing stays
  if (const std::string& why = looked_at.trouble(); !why.empty())
    tsubu::end_job(tsubu::exit_code::usage, "abcl: " + options_of_job.trace + " cannot be written: " + why);
}

[[noreturn]] void wrong_arguments(const image& of, const std::string& program) {
  std::string list;
  for (const char c : of.start_arguments)
    list += c == 'i' ? " INT" : c == 'f' ? " FLOAT" : c == 'a' ? " TEXT..." : " TEXT";
  tsubu::end_job(tsubu::exit_code::usage, "usage: " + program + (list.empty() ? " (no arguments)" : list));
}

// The first object, with what the command line says.
tsubu::task<int> program(tsubu::arguments words) {
  processor& cpu = this_node().cpu;
  const image& of = cpu.code();
  const bool takes_all = !of.start_arguments.empty() && of.start_arguments.back() == 'a';
  const std::size_t wanted = of.start_arguments.size() + (takes_all ? 0 : 1);
  if (takes_all ? words.size() < wanted : words.size() != wanted) wrong_arguments(of, words[0]);
  check_trace_file();
  co_await tsubu::everywhere().now<begin_node>(raw_time());
  if (tells_at_the_end()) tsubu::remote::current_pe->quiescence.before_the_end(job_is_quiet);
  const image::class_code& start = of.classes[static_cast<std::size_t>(of.start)];
  const word object = cpu.new_object(of.start);
  int at = start.first;
  for (std::size_t i = 0; i < of.start_arguments.size(); ++i, ++at) {
    switch (of.start_arguments[i]) {
      case 'i':
        cpu.set(object, at, static_cast<word>(words.number<std::int64_t>(i + 1, 0)));
        break;
      case 'f':
        cpu.set(object, at, std::bit_cast<word>(words.number<double>(i + 1, 0)));
        break;
      case 'a': {
        std::vector<std::string> rest;
        for (std::size_t k = i + 1; k < words.size(); ++k) rest.push_back(words[k]);
        cpu.set(object, at, cpu.array_of_texts(rest));
        break;
      }
      default:
        cpu.set(object, at, cpu.text(words[i + 1]));
    }
  }
  if (this_node().record) this_node().record->creates(0, object, start.name);
  take_packet({object, 0, static_cast<std::uint32_t>(code::entry::start), 0, packet::kind::to_object});
  tsubu::oneshot<int>& status = the_end().status;
  co_return co_await status;
}

}  // namespace

int run_job(int argc, char** argv, std::shared_ptr<const image> of, job_options how) {
  this_process().program = std::move(of);
  if (how.memory != 0) this_process().memory = how.memory;
  options_of_job = std::move(how);
  if (tells_at_the_end()) this_process().failed = [](word, const std::string& what) { error_has_come(what); };
  const int code = tsubu::run(argc, argv, program);
  return code == 0 && trace_is_lost ? tsubu::exit_code::failed : code;
}

}  // namespace abcl::machine
