// What every transport promises (tsubu/transport/transport.hpp), checked on P PEs.
//
//   transport_conformance --pes 4                                        on threads
//   mpirun -n 4 transport_conformance --plugin tsubu-transport-mpich.so  on what the plug-in offers
//
// With a plug-in linked in, it is that one.
//
// Other options: --pes-per-rank K (each rank is K PEs), --shared off (ranks of a node share no memory),
// --pretended-nodes N (they are dealt to N nodes), --mpi windows (what goes through MPI is put into windows), --seed N
// (printed at the start), --batch-bytes N. Each check says the promise it would find broken. Exit code 0: all were
// kept.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/conformance/pe_under_test.hpp"
#include "tsubu/transport/carrying.hpp"
#include "tsubu/transport/threads/threads.hpp"
#include "tsubu/transport/transport.hpp"

// Null if none is linked in.
extern "C" [[gnu::weak]] const tsubu::transport::plugin tsubu_transport_plugin;

namespace tsubu::conformance {

namespace {

struct options {
  const char* plugin = nullptr;
  std::uint64_t seed = 1;
  transport::launch_settings settings;
  bool windows = false;
};

std::int64_t ms_since(std::int64_t begin_ns) { return (now_ns() - begin_ns) / 1'000'000; }

pe_id another_pe(pe_under_test& p) {
  const pe_id other = static_cast<pe_id>(p.below(static_cast<std::size_t>(p.pe_count()) - 1));
  return other < p.pe() ? other : other + 1;
}

// Mostly short, sometimes full.
std::size_t random_bytes(pe_under_test& p) {
  const std::size_t room = p.end().batch_bytes() - sizeof(label);
  const std::size_t limit = p.below(4) == 0 ? room : std::min<std::size_t>(room, 64);
  return sizeof(label) + p.below(limit + 1);
}

// Sends when fewer than `limit` are on the way, as the floors above do.
void send_held_back(pe_under_test& p, pe_id to, std::size_t bytes, int limit, std::size_t keep = 0) {
  p.receive_until([&] { return p.end().on_the_way(to) < limit; }, "on_the_way() does not fall", keep);
  const int now = p.send(to, bytes);
  p.expect(now <= limit, "a sender that holds back stays below its limit");
}

// Promise: batches between two PEs arrive once, unchanged and in the order of post().
// Method: random sizes and destinations, batches released late and in another order.
void order_per_pair(pe_under_test& p) {
  for (int i = 0; i < 4000; ++i) {
    send_held_back(p, another_pe(p), random_bytes(p), 20, 3);
    if (p.below(8) == 0) p.receive(3);
  }
}

// Promise: post() never blocks, however much is on the way; a slow receiver gets it all.
// Method: everyone posts 500 batches to PE 0 without a poll, PE 0 takes its time.
void burst_to_one(pe_under_test& p) {
  constexpr int batches = 500;
  if (p.pe() != 0) {
    for (int i = 1; i <= batches; ++i) p.send(0, p.end().batch_bytes());
    return;
  }
  const auto expected = static_cast<std::uint64_t>(p.pe_count() - 1) * batches;
  p.receive_until(
      [&] {
        std::this_thread::sleep_for(std::chrono::microseconds(p.received() % 16 == 0 ? 20 : 0));
        return p.received() == expected;
      },
      "a burst does not arrive");
}

// Promise: a sender that heeds on_the_way() has a bounded number of batches on the way, and moves on.
// Method: everyone to PE 0, held back at 8; PE 0 keeps some unreleased.
void flood_one(pe_under_test& p) {
  constexpr int batches = 3000;
  if (p.pe() != 0) {
    const std::size_t bytes = std::min<std::size_t>(1024, p.end().batch_bytes());
    for (int i = 0; i < batches; ++i) send_held_back(p, 0, bytes, 8);
    return;
  }
  const auto expected = static_cast<std::uint64_t>(p.pe_count() - 1) * batches;
  p.receive_until([&] { return p.received() == expected; }, "a flood does not arrive", 5);
}

// Promise: all pairs at once, full batches, no deadlock.
void all_to_all(pe_under_test& p) {
  for (int i = 0; i < 300; ++i) {
    for (pe_id k = 1; k < p.pe_count(); ++k) send_held_back(p, (p.pe() + k) % p.pe_count(), p.end().batch_bytes(), 6);
  }
}

// Promise: a bulk of any size keeps its place among the batches of its pair, its bytes land where the
// receiver said, and its source may be reused after done(), which is called once.
// Method: bulks among batches, sources overwritten in done(), guard bytes behind each place.
void bulks_among_batches(pe_under_test& p) {
  constexpr std::array<std::size_t, 6> sizes = {1, 8 * 1024 + 1, 1 << 20, 64 << 20, 7, 4096};
  const pe_id next = (p.pe() + 1) % p.pe_count();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t bytes : sizes) {
      p.send(next, random_bytes(p));
      p.send_bulk(next, bytes);
      p.send(another_pe(p), random_bytes(p));
      p.receive();
    }
  }
}

// Promise: the same for many bulks at once between all pairs.
void many_bulks(pe_under_test& p) {
  for (int i = 0; i < 200; ++i) {
    const pe_id to = another_pe(p);
    if (p.below(3) != 0) {
      p.send_bulk(to, 1 + p.below(p.below(10) == 0 ? 300'000 : 5000));
    } else {
      p.send(to, random_bytes(p));
    }
    p.receive_until([&] { return p.bulks_under_way() < 32; }, "bulks do not move");
  }
}

// Promise: wait() returns at its time at the latest, and earlier when something arrives.
// Method: PE 1 lets PE 0 wait for a while, far below the time that PE 0 is ready to wait.
void wait_for_arrival(pe_under_test& p) {
  if (p.pe() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (p.pe() == 1) p.send(0, sizeof(label));
  if (p.pe() != 0) return;
  const std::int64_t begin = now_ns();
  while (p.received() == 0) {
    if (!p.receive()) p.end().wait(5'000'000);
  }
  p.expect(ms_since(begin) < 4000, "wait() returns when something arrives");
}

void wait_for_nothing(pe_under_test& p) {
  const std::int64_t begin = now_ns();
  p.end().wait(0);
  p.end().wait(20'000);
  p.expect(ms_since(begin) < 2000, "wait() ends at its time");
}

// Promise: what a PE has posted moves on while it waits, though it may be more than its way holds.
// Method: PE 0 posts many short batches, and then waits for long, again and again, until they have been released.
void wait_with_batches_waiting(pe_under_test& p) {
  constexpr int batches = 200;
  if (p.pe() == 0) {
    const std::int64_t begin = now_ns();
    for (int i = 0; i < batches; ++i) p.send(1, sizeof(label));
    while (p.end().on_the_way(1) != 0) {
      if (!p.receive()) p.end().wait(5'000'000);
    }
    p.expect(ms_since(begin) < 4000, "wait() lets move what was posted");
  } else if (p.pe() == 1) {
    p.receive_until([&] { return p.received() == batches; }, "batches do not come while their sender waits");
  }
}

// Promise: what was posted before close() has arrived behind it, also at PEs that polled no more; and it goes on
// arriving at PEs that come later.
// Method: full batches and short ones, more than there is room for on the way. Every other PE takes all of them before
// it closes, the others count them behind close().
void post_then_close(pe_under_test& p) {
  constexpr int batches = 100;
  for (pe_id to = 0; to < p.pe_count(); ++to) {
    if (to == p.pe()) continue;
    for (int i = 0; i < batches; ++i) p.send(to, i % 2 == 0 ? p.end().batch_bytes() : sizeof(label));
  }
  const auto expected = static_cast<std::uint64_t>(p.pe_count() - 1) * batches;
  if (p.pe() % 2 == 1) {
    p.receive_until([&] { return p.received() == expected; }, "nothing comes from PEs that close");
  }
  p.end().close();
  while (p.receive()) {
  }
  p.expect(p.received() == expected, "close() lets all arrive");
}

int run_suite(transport::transport& own_end, void* argument) {
  const options& o = *static_cast<const options*>(argument);
  pe_under_test p(own_end, o.seed);
  if (p.pe() == 0) {
    std::printf("%d PEs, seed %llu\n", p.pe_count(), static_cast<unsigned long long>(o.seed));
  }
  const std::size_t asked = o.settings.batch_bytes;
  p.expect(own_end.batch_bytes() == (asked != 0 ? asked : transport::launch_settings().batch_bytes_for(p.pe_count())),
           "batches have the size that was asked for");
  if (p.pe_count() == 1) p.expect(own_end.poll() == nullptr, "nothing arrives at a lone PE");
  wait_for_nothing(p);
  if (p.pe_count() > 1) {
    constexpr std::array<std::pair<const char*, void (*)(pe_under_test&)>, 8> checks = {{
        {"order per pair", order_per_pair},
        {"burst to one PE", burst_to_one},
        {"flood of one PE", flood_one},
        {"all to all", all_to_all},
        {"bulks among batches", bulks_among_batches},
        {"many bulks", many_bulks},
        {"wait for an arrival", wait_for_arrival},
        {"wait with batches waiting", wait_with_batches_waiting},
    }};
    for (const auto& [name, check] : checks) {
      check(p);
      p.finish_check(name);
    }
  }
  post_then_close(p);
  if (p.pe() == 0) std::printf("  close\nall promises kept\n");
  return 0;
}

options read_options(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; i += 2) {
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    auto is = [&](const char* name) { return value != nullptr && std::strcmp(argv[i], name) == 0; };
    if (is("--plugin")) {
      o.plugin = value;
    } else if (is("--pes")) {
      o.settings.pes = std::atoi(value);
    } else if (is("--pes-per-rank")) {
      o.settings.pes_per_rank = std::atoi(value);
    } else if (is("--shared")) {
      o.settings.share_memory = std::strcmp(value, "off") != 0;
    } else if (is("--mpi")) {
      o.windows = std::strcmp(value, "windows") == 0;
    } else if (is("--pretended-nodes")) {
      o.settings.pretended_nodes = std::atoi(value);
    } else if (is("--seed")) {
      o.seed = std::strtoull(value, nullptr, 10);
    } else if (is("--batch-bytes")) {
      o.settings.batch_bytes = std::strtoull(value, nullptr, 10);
    } else {
      std::fprintf(stderr,
                   "usage: %s [--plugin PATH] [--pes N] [--pes-per-rank N] [--shared on|off] [--pretended-nodes N] "
                   "[--mpi messages|windows] [--seed N] [--batch-bytes N]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  return o;
}

void choose_windows(const void* choose) {
  if (choose == nullptr) {
    std::fprintf(stderr, "the plug-in has no windows to put into\n");
    std::exit(69);
  }
  (*static_cast<const transport::choose_mpi_carrying*>(choose))(transport::mpi_carrying::by_windows);
}

// Null for threads.
const transport::plugin* plugin_of(const options& o) {
  if (o.plugin == nullptr) return &tsubu_transport_plugin;
  void* library = dlopen(o.plugin, RTLD_NOW | RTLD_GLOBAL);
  const void* symbol = library == nullptr ? nullptr : dlsym(library, "tsubu_transport_plugin");
  if (symbol == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(69);
  }
  if (o.windows) choose_windows(dlsym(library, "tsubu_transport_carrying"));
  return static_cast<const transport::plugin*>(symbol);
}

transport::launcher launcher_of(const options& o) {
  const transport::plugin* plugin = plugin_of(o);
  if (plugin == nullptr) return transport::threads_launcher();
  if (plugin->abi != transport::plugin_abi) {
    std::fprintf(stderr, "%s: abi %u, expected %u\n", plugin->name, plugin->abi, transport::plugin_abi);
    std::exit(69);
  }
  std::printf("transport %s\n", plugin->name);
  return plugin->launch;
}

}  // namespace

}  // namespace tsubu::conformance

int main(int argc, char** argv) {
  using namespace tsubu::conformance;
  options o = read_options(argc, argv);
  return launcher_of(o)(o.settings, run_suite, &o);
}
