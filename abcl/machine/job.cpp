#include "abcl/machine/job.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <utility>

#include "abcl/machine/library.hpp"
#include "abcl/machine/processor.hpp"
#include "abcl/machine/recorder.hpp"
#include "abcl/machine/statistics.hpp"
#include "abcl/machine/trace.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/remote/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/quiescence.hpp"
#include "tsubu/remote/say.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/oneshot.hpp"

namespace abcl::machine {
namespace {

// What this process runs; set before the job begins.
std::shared_ptr<const image> program_of_job;
job_options options_of_job;

void take_packet(packet p);
void take_value(packet p, int kind, std::string bytes);
void exit_has_come(int status);
void error_has_come(std::string text);

// An error, when something has to be told of the job before it ends: nothing more is executed here.
struct node_failed {
  std::string text;
};
bool tells_at_the_end() { return !options_of_job.trace.empty() || options_of_job.stats; }

std::string place_of(const image& of, int site) {
  if (site < 0 || static_cast<std::size_t>(site) >= of.sites.size()) return "abcl";
  const code::site_info& s = of.sites[static_cast<std::size_t>(site)];
  std::string text = fmt::format("{}:{}", s.file, s.line);
  if (!s.of_class.empty()) text += ": " + s.of_class;
  if (!s.message.empty()) text += ' ' + s.message;
  return text;
}

// A node: a PE of the job with its processor.
class node final : public surroundings {
 public:
  node() : cpu(tsubu::this_pe(), program_of_job, *this) {}

  void send(int to, const packet& p) override { tsubu::at(to).past<take_packet>(p); }
  void send_value(int to, const packet& p, int kind, std::string bytes) override {
    tsubu::at(to).past<take_value>(p, kind, std::move(bytes));
  }
  void spend(std::uint64_t clocks) override { tsubu::work(static_cast<double>(clocks)); }
  void say(const std::string& line) override { tsubu::say("{}", line); }
  void exit(std::int64_t status) override {
    const auto low = static_cast<int>(status & 0xff);
    tsubu::at(0).past<exit_has_come>(low == 0 && status != 0 ? 1 : low);
  }
  void fail(int where, const std::string& what) override {
    std::string text = fmt::format("{}: {}", place_of(cpu.code(), where), what);
    if (tells_at_the_end()) throw node_failed{std::move(text)};
    tsubu::end_job(tsubu::exit_code::failed, text);
  }
  word library(int number, word a, word b, word c, int where) override {
    return call_library(static_cast<library_id>(number), cpu.values(), cpu.code(), a, b, c, where);
  }
  void ask_outside(int number, word object, int where) override {
    machine::ask_outside(static_cast<library_id>(number), object, cpu.code(), where);
  }
  int nodes() const override { return tsubu::pe_count(); }
  int neighbour(int k) const override { return tsubu::neighbour(k); }

  processor cpu;
  std::optional<recorder> record;
};
tsubu::pe_local<node> this_node;

void guarded(auto&& execute) {
  try {
    execute(this_node->cpu);
  } catch (node_failed& error) {
    this_node->cpu.stop();
    tsubu::at(0).past<error_has_come>(std::move(error.text));
  }
}
void take_packet(packet p) {
  guarded([&](processor& cpu) { cpu.execute(p); });
}
void take_value(packet p, int kind, std::string bytes) {
  guarded([&](processor& cpu) { cpu.execute_value(p, kind, bytes); });
}
void stop() { this_node->cpu.stop(); }

// PE 0 has it; the program waits for it. The first exit tells the status.
struct program_end {
  tsubu::oneshot<int> status{nullptr};  // not in reports: what not_exited() says is
  bool failed = false;
};
tsubu::pe_local<program_end> the_end;

void exit_has_come(int status) {
  if (the_end->status.ready()) return;
  for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) tsubu::at(pe).past<stop>();
  the_end->status.set_value(status);
}

// For a deadlock report: who waits, at which line.
std::vector<std::string> waiting_objects() {
  const image& of = this_node->cpu.code();
  std::vector<std::string> all;
  for (const processor::waiting& w : this_node->cpu.waiting_objects()) {
    std::string whom;
    if (!w.for_a_message && w.asked != 0)
      whom = fmt::format(" (it has sent to object {} on PE {} last)", address_of(w.asked), node_of(w.asked));
    all.push_back(fmt::format("{}, object {}, waits for a {}{}, at {}",
                              of.classes[static_cast<std::size_t>(w.class_number)].name, address_of(w.object),
                              w.for_a_message ? "message" : "reply", whom, place_of(of, w.site)));
  }
  if (tsubu::this_pe() == 0) all.push_back("the program has not exited: no (exit v) was executed");
  return all;
}

// ---- what is told at the end

bool is_simulated() { return tsubu::transport_name() == "sim"; }
// Clocks of the simulated machine; else nanoseconds, and where the steady clock is another than that of PE 0, they are
// counted from when this node heard of the job.
std::int64_t raw_time() { return is_simulated() ? static_cast<std::int64_t>(tsubu::ticks()) : tsubu::now_ns(); }

void begin_node(std::int64_t start) {
  tsubu::remote::current_pe->report_waits_by(waiting_objects);
  if (options_of_job.trace.empty()) return;
  constexpr std::int64_t longest_way_ns = 1'000'000'000;
  const std::int64_t here = raw_time();
  const bool same_clock = is_simulated() || (start <= here && here - start < longest_way_ns);
  node& me = *this_node;
  me.record.emplace(
      tsubu::this_pe(), tsubu::pe_count(),
      [origin = same_clock ? start : here] { return static_cast<double>(raw_time() - origin); }, is_simulated());
  me.cpu.record(&*me.record);
}

std::string take_events() {
  node& me = *this_node;
  if (!me.record) return {};
  me.cpu.record(nullptr);
  const std::size_t left_out = me.record->left_out();
  return packed(tsubu::this_pe(), me.record->take(), left_out);
}

node_counts counted() { return {this_node->cpu.done(), this_node->cpu.objects()}; }

tsubu::task<void> tell_of_nodes() {
  if (!options_of_job.trace.empty()) {
    trace all;
    // One after the other: each may be large.
    for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) unpack(co_await tsubu::at(pe).now<take_events>(), all);
    if (!is_simulated()) begin_at_zero(all);
    for (const std::string& said : all.left_out) fmt::print(stderr, "abcl: {}\n", said);
    if (!write_trace(options_of_job.trace, std::move(all), options_of_job.title, is_simulated() ? "clocks" : "ns"))
      fmt::print(stderr, "abcl: {} cannot be written\n", options_of_job.trace);
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
// The first one tells the reason.
void error_has_come(std::string text) {
  if (std::exchange(the_end->failed, true)) return;
  for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) tsubu::at(pe).past<stop>();
  tsubu::spawn(end_with_error(std::move(text)));
}

void check_trace_file() {
  if (options_of_job.trace.empty()) return;
  if (!std::ofstream(options_of_job.trace, std::ios::app))
    tsubu::end_job(tsubu::exit_code::usage, "abcl: " + options_of_job.trace + " cannot be written");
}

[[noreturn]] void wrong_arguments(const image& of, const std::string& program) {
  std::string list;
  for (const char c : of.start_arguments)
    list += c == 'i' ? " INT" : c == 'f' ? " FLOAT" : c == 'a' ? " TEXT..." : " TEXT";
  tsubu::end_job(tsubu::exit_code::usage, "usage: " + program + (list.empty() ? " (no arguments)" : list));
}

// The first object, with what the command line says.
tsubu::task<int> program(tsubu::arguments words) {
  processor& cpu = this_node->cpu;
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
  if (this_node->record) this_node->record->creates(0, object, start.name);
  take_packet({object, 0, static_cast<std::uint32_t>(code::entry::start), 0, packet::kind::to_object});
  const int status = co_await the_end->status;
  co_return status;
}

}  // namespace

void answer(word object, const std::string& text, bool is_text) {
  processor& cpu = this_node->cpu;
  const word datum = is_text ? cpu.text(text) : text.empty() ? 0 : 1;
  take_packet({object, datum, static_cast<std::uint32_t>(code::entry::answer), 0, packet::kind::to_object});
}

int run_job(int argc, char** argv, std::shared_ptr<const image> of, job_options how) {
  program_of_job = std::move(of);
  options_of_job = std::move(how);
  return tsubu::run(argc, argv, program);
}

}  // namespace abcl::machine
