// What an awaited write of an update variable costs while another PE has a copy, beside a `now` round trip.
//
// write_at_home: by its home, PE 0; PE 1 has a copy. write_from_another: by PE 0, which has a copy itself; its home is
// PE 1. With three PEs also write_of_three: by PE 0; its home is PE 1, and PE 2 has a copy. Each is measured in turns
// with the round trip.
#include <array>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

std::uint64_t echo(std::uint64_t x) { return x; }
shared<long> make_variable() { return create_shared(protocol::update, -1L); }
task<long> read_it(shared<long> x) { co_return co_await x.read(); }
// Only of a copy.
bool has_copy_of(shared<long> x, long value) {
  const long* copy = x.copy();
  return copy != nullptr && *copy == value;
}
// Asked of the home of x: what it sends after a write comes before the question.
task<bool> copy_is_on(pe_id reader, shared<long> x, long value) {
  co_return co_await at(reader).now<has_copy_of>(x, value);
}

struct kind {
  const char* name;
  pe_id home;
  pe_id reader;
  shared<long> variable{};
  std::vector<double> ns{};
};

task<bool> write_many(kind* k, std::int64_t writes, bool timed) {
  const shared<long> x = k->variable;
  co_await at(k->reader).now<read_it>(x);
  const bench::stopwatch watch;
  for (long i = 0; i < writes; ++i) co_await x.write(i);
  if (timed) k->ns.push_back(watch.seconds() * 1e9 / static_cast<double>(writes));
  const bool still_a_copy = co_await at(k->home).now<copy_is_on>(k->reader, x, writes - 1);
  co_return co_await x.read() == writes - 1 && still_a_copy;
}

task<bool> go_and_return(std::vector<double>* ns, std::int64_t trips, bool timed) {
  bool right = true;
  const bench::stopwatch watch;
  for (std::int64_t i = 0; i < trips; ++i) {
    const auto sent = static_cast<std::uint64_t>(i);
    right = co_await at(1).now<echo>(sent) == sent && right;
  }
  if (timed) ns->push_back(watch.seconds() * 1e9 / static_cast<double>(trips));
  co_return right;
}

task<int> program(arguments args) {
  std::int64_t writes = 500, repetitions = 101;
  if (const auto code = bench::read_options(
          args, "awaited writes of update variables that another PE has a copy of",
          {{"--writes", &writes, "of a measurement"},
           {"--repetitions", &repetitions, "measurements, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2 && writes > 0 && repetitions > 0, "two PEs, and --writes and --repetitions of 1, at least");
  std::vector<kind> kinds = {{"write_at_home", 0, 1}, {"write_from_another", 1, 0}};
  if (pe_count() > 2) kinds.push_back({"write_of_three", 1, 2});
  for (kind& k : kinds) k.variable = co_await at(k.home).now<make_variable>();
  std::vector<double> trips;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    verified = co_await go_and_return(&trips, writes, r > 0) && verified;
    for (kind& k : kinds) verified = co_await write_many(&k, writes, r > 0) && verified;
  }
  bench::result_line line("shared_write");
  line.add("transport", transport_name()).add("pes", pe_count()).add("writes", writes).add("verified", verified);
  if (verified) {
    const bench::summary now = bench::summarize(trips);
    line.add("now_ns", now.median);
    for (const kind& k : kinds) line.add(std::string(k.name) + "_ns", bench::summarize(k.ns).median);
    line.add(now);
  }
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
