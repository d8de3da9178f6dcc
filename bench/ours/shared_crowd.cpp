// Past accesses in a crowd: each PE puts or adds to random elements of a shared array, as many as its updates of the
// histogram (histogram.cpp), which are sent as messages in the same run and in turns.
//
// Half of the elements that a PE of two takes are its own. The time is that of the slowest PE.
#include <algorithm>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/workload.hpp"

namespace {

using namespace tsubu;

constexpr std::size_t block = 1024;

pe_local<std::vector<bench::counter>> counters;
void add_one(std::uint32_t counter) { ++(*counters)[counter]; }

struct by_message {
  void operator()(bench::update u) const { at(static_cast<pe_id>(u.pe)).past<add_one>(u.counter); }
};
struct by_add {
  shared_array<long> array;
  std::size_t per_pe;
  void operator()(bench::update u) const { array[u.pe * per_pe + u.counter].add<reduce::plus>(1); }
};
struct by_put {
  shared_array<long> array;
  std::size_t per_pe;
  void operator()(bench::update u) const { array[u.pe * per_pe + u.counter].put(place(u, per_pe)); }
  static long place(bench::update u, std::size_t per_pe) {
    return static_cast<long>(bench::histogram_place(u.pe, u.counter, per_pe));
  }
};

template <class Access>
void send_some(Access access, const bench::update* updates, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) access(updates[i]);
}

// Ticks for each update of the slowest PE.
template <class Access>
task<double> ticks_of(Access access, const std::vector<bench::update>* updates) {
  co_await barrier();
  const bench::stopwatch watch;
  for (std::size_t done = 0; done < updates->size(); done += block) {
    send_some(access, updates->data() + done, std::min(block, updates->size() - done));
    co_await room_everywhere();
  }
  co_await quiescence();
  const double here = watch.ticks_taken() / static_cast<double>(updates->size());
  co_return co_await all_reduce(here, reduce::max);
}

task<bool> agree(bench::histogram_sums sent, bench::histogram_sums held) {
  const std::uint64_t updates = co_await all_reduce(sent.updates - held.updates, reduce::plus);
  const std::uint64_t places = co_await all_reduce(sent.places - held.places, reduce::plus);
  co_return updates == 0 && places == 0;
}

// The elements of this PE, which are then 0 again.
std::vector<bench::counter> take_elements(shared_array<long> array, std::size_t per_pe) {
  std::vector<bench::counter> held;
  held.reserve(per_pe);
  array.for_each_here([&](std::size_t i) {
    const long* value = array[i].copy();
    require(value != nullptr, "PE {} does not have element {}, whose home it is", this_pe(), i);
    held.push_back(static_cast<bench::counter>(*value));
    array[i].put(0);
  });
  return held;
}

// Each element that anybody has put to has its place for a value; the others have none.
task<bool> all_are_put(std::vector<bench::counter> held, const std::vector<bench::update>* updates,
                       std::size_t per_pe) {
  std::vector<std::uint8_t> hit(per_pe * static_cast<std::size_t>(pe_count()));
  for (const bench::update u : *updates) hit[u.pe * per_pe + u.counter] = 1;
  hit = co_await all_reduce(hit, reduce::max);
  bool right = held.size() == per_pe;
  for (std::size_t i = 0; right && i < per_pe; ++i) {
    const bench::update u{static_cast<std::uint32_t>(this_pe()), static_cast<std::uint32_t>(i)};
    const auto expected = static_cast<bench::counter>(by_put::place(u, per_pe));
    right = held[i] == (hit[u.pe * per_pe + i] != 0 ? expected : 0);
  }
  co_return co_await all_reduce(right, reduce::all);
}

struct figures {
  std::vector<double> past, add, put, accumulate;
  bool verified = true;
};

struct workload {
  std::vector<bench::update> updates;
  std::uint32_t per_pe = 0;
  shared_array<long> global, accumulating;
};

task<void> measure(figures* found, const workload* work, bool timed) {
  const auto keep = [timed](std::vector<double>& list, double ticks) {
    if (timed) list.push_back(ticks);
  };
  const std::uint32_t per_pe = work->per_pe;
  const auto me = static_cast<std::uint32_t>(this_pe());
  const bench::histogram_sums sent = bench::sums_of_updates(work->updates, per_pe);
  std::fill(counters->begin(), counters->end(), 0);
  keep(found->past, co_await ticks_of(by_message(), &work->updates));
  found->verified = co_await agree(sent, bench::sums_of_counters(*counters, me)) && found->verified;

  keep(found->add, co_await ticks_of(by_add{work->global, per_pe}, &work->updates));
  std::vector<bench::counter> held = take_elements(work->global, per_pe);
  found->verified = co_await agree(sent, bench::sums_of_counters(held, me)) && found->verified;

  keep(found->put, co_await ticks_of(by_put{work->global, per_pe}, &work->updates));
  held = take_elements(work->global, per_pe);
  found->verified = co_await all_are_put(held, &work->updates, per_pe) && found->verified;

  keep(found->accumulate, co_await ticks_of(by_add{work->accumulating, per_pe}, &work->updates));
  held = take_elements(work->accumulating, per_pe);
  found->verified = co_await agree(sent, bench::sums_of_counters(held, me)) && found->verified;
}

task<int> program(arguments args) {
  std::int64_t updates = 50'000, size = 1000, repetitions = 51;
  if (const auto code = bench::read_options(
          args, "past accesses to random elements of a shared array, beside the histogram's messages",
          {{"--updates", &updates, "of each PE and kind"},
           {"--counters", &size, "of each PE"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  require(updates > 0 && size > 0 && repetitions > 0, "--updates, --counters and --repetitions are 1 at least");
  workload work;
  work.per_pe = static_cast<std::uint32_t>(size);
  work.updates = bench::make_updates(static_cast<std::size_t>(updates), static_cast<std::uint32_t>(this_pe()),
                                     static_cast<std::uint32_t>(pe_count()), work.per_pe);
  counters->resize(work.per_pe);
  const std::size_t elements = work.per_pe * static_cast<std::size_t>(pe_count());
  work.global = co_await create_shared_array<long>(elements, by_block(), protocol::global, 0L);
  work.accumulating = co_await create_shared_array<long>(elements, by_block(), protocol::accumulate, 0L);
  figures found;
  for (std::int64_t r = 0; r <= repetitions; ++r) co_await measure(&found, &work, r > 0);
  if (this_pe() == 0) {
    bench::result_line line("shared_crowd");
    line.add("transport", transport_name()).add("pes", pe_count()).add("updates", updates).add("counters", size);
    line.add("verified", found.verified);
    if (found.verified) {
      const bench::summary past = bench::summarize(found.past);
      line.add("past_ticks", past.median).add("add_ticks", bench::summarize(found.add).median);
      line.add("put_ticks", bench::summarize(found.put).median);
      line.add("accumulate_ticks", bench::summarize(found.accumulate).median).add(past);
    }
    line.print();
  }
  co_return found.verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
