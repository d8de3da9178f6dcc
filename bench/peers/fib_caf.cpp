// fib with an actor of CAF for each call: it makes two actors, adds up what they tell it, tells its parent and ends.
#include <caf/all.hpp>
#include <cstdint>

#include "bench/peers/fib.hpp"

namespace {

caf::behavior call(caf::event_based_actor* self, std::int64_t n, const caf::actor& parent) {
  if (n <= 2) {
    self->send(parent, std::int64_t{1});
    return {};  // no behaviour: the actor ends
  }
  const caf::actor me = caf::actor_cast<caf::actor>(self);
  self->spawn(call, n - 1, me);
  self->spawn(call, n - 2, me);
  return {[=, sum = std::int64_t{0}, missing = 2](std::int64_t part) mutable {
    sum += part;
    if (--missing > 0) return;
    self->send(parent, sum);
    self->quit();
  }};
}

}  // namespace

int main(int argc, char** argv) {
  bench::fib_options options{.n = 20};
  options.parse(argc, argv, "fib, one CAF actor a call", {{"--threads", &options.threads, "that execute actors"}});
  caf::actor_system_config config;
  config.set("scheduler.max-threads", static_cast<std::size_t>(options.threads));
  caf::actor_system system(config);
  if (system.scheduler().num_workers() != static_cast<std::size_t>(options.threads)) {
    std::fprintf(stderr, "CAF has %zu workers, not the %d of --threads\n", system.scheduler().num_workers(),
                 static_cast<int>(options.threads));
    return 1;
  }
  return bench::measure_fib("caf", options, [&](std::int64_t n) {
    caf::scoped_actor main_actor(system);
    system.spawn(call, n, caf::actor_cast<caf::actor>(main_actor));
    std::int64_t value = 0;
    main_actor->receive([&](std::int64_t sum) { value = sum; });
    return value;
  });
}
