#include "abcl/machine/job.hpp"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <utility>

#include "abcl/machine/library.hpp"
#include "abcl/machine/processor.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/remote/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/say.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/oneshot.hpp"

namespace abcl::machine {
namespace {

// What this process runs; set before the job begins.
std::shared_ptr<const image> program_of_job;

void take_packet(packet p);
void take_value(packet p, int kind, std::string bytes);
void exit_has_come(int status);

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
    tsubu::end_job(tsubu::exit_code::failed, fmt::format("{}: {}", place_of(cpu.code(), where), what));
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
};
tsubu::pe_local<node> this_node;

void take_packet(packet p) { this_node->cpu.execute(p); }
void take_value(packet p, int kind, std::string bytes) { this_node->cpu.execute_value(p, kind, bytes); }
void stop() { this_node->cpu.stop(); }

// PE 0 has it; the program waits for it. The first exit tells the status.
struct program_end {
  tsubu::oneshot<int> status{nullptr};  // not in reports: what not_exited() says is
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
void begin_node() { tsubu::remote::current_pe->report_waits_by(waiting_objects); }

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
  co_await tsubu::everywhere().now<begin_node>();
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
  take_packet({object, 0, static_cast<std::uint32_t>(code::entry::start), 0, packet::kind::to_object});
  const int status = co_await the_end->status;
  co_return status;
}

}  // namespace

void answer(word object, const std::string& text, bool is_text) {
  processor& cpu = this_node->cpu;
  const word datum = is_text ? cpu.text(text) : text.empty() ? 0 : 1;
  cpu.execute({object, datum, static_cast<std::uint32_t>(code::entry::answer), 0, packet::kind::to_object});
}

int run_job(int argc, char** argv, std::shared_ptr<const image> of) {
  program_of_job = std::move(of);
  return tsubu::run(argc, argv, program);
}

}  // namespace abcl::machine
