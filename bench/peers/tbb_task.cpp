// A task of oneTBB on one thread: started and waited for one by one, and a thousand at a time.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstdint>

#include "bench/peers/per_step.hpp"
#include "bench/report.hpp"

int main(int argc, char** argv) {
  std::int64_t tasks = 1'000'000, together = 1000, repetitions = 11;
  bench::parse_options(argc, argv, "oneTBB task_group: a task run and waited for",
                       {{"--tasks", &tasks, "of a measurement"},
                        {"--together", &together, "tasks before each wait, in the second measurement"},
                        {"--repetitions", &repetitions, "measurements; their median is reported"}});
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_arena arena(1);
  std::int64_t counted = 0;
  const auto measure = [&](std::int64_t batch) {
    return bench::ticks_per_step(repetitions, tasks, [&] {
      arena.execute([&] {
        tbb::task_group group;
        for (std::int64_t done = 0; done < tasks; done += batch) {
          for (std::int64_t i = 0; i < batch; ++i) group.run([&counted] { ++counted; });
          group.wait();
        }
      });
    });
  };
  together = std::max<std::int64_t>(1, together);
  tasks -= tasks % together;
  const bench::summary alone = measure(1);
  const bench::summary crowd = measure(together);

  const bool verified = counted == 2 * tasks * (repetitions + 1);
  bench::result_line line("tbb_task");
  line.add("peer", "onetbb").add("pes", 1).add("together", together).add("verified", verified);
  if (verified) {
    bench::add_times(line, "task", alone);
    bench::add_times(line, "task_together", crowd);
  }
  line.add(alone).print();
  return verified ? 0 : 1;
}
