#include "tsubu/remote/time_multiplexing.hpp"

#include <algorithm>

#include "tsubu/base/clock.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::remote {
namespace {

// A PE keeps the thread while it has something to do, for so many steps: else one that gets a message from each of many
// others would have to wait for as many rounds.
constexpr int most_steps_of_a_turn = 64;

class turns {
 public:
  turns(std::span<const std::unique_ptr<pe>> pes, transport::shared_thread& thread, void (*entered)(pe&))
      : pes_(pes),
        thread_(thread),
        entered_(entered),
        patient_rounds_(pes.front()->transport().spin_polls() / static_cast<int>(pes.size())) {}

  int run() {
    for (int idle_rounds = 0; !all_ended();) {
      const std::int64_t may_sleep_ns = round();
      idle_rounds = may_sleep_ns <= 0 ? 0 : idle_rounds + 1;
      if (idle_rounds > patient_rounds_) sleep(may_sleep_ns);
    }
    thread_.close();
    const int code = pes_.front()->quiescence.exit_code();
    for (const auto& p : pes_) p->leave();
    return code;
  }

 private:
  // A turn of each. Returns for how long all of them may sleep; 0 if one had something to do.
  std::int64_t round() {
    std::int64_t may_sleep_ns = pe::longest_sleep_ns;
    for (const auto& p : pes_) may_sleep_ns = std::min(may_sleep_ns, turn(*p));
    return may_sleep_ns;
  }

  std::int64_t turn(pe& p) {
    p.enter();
    entered_(p);
    if (p.quiescence.ended()) return p.take_last_turn() ? 0 : pe::longest_sleep_ns;
    for (int steps = 0; steps < most_steps_of_a_turn; ++steps) {
      p.begin_turn();
      const std::int64_t may_sleep_ns = p.end_turn();
      if (p.quiescence.ended()) {
        p.flush(message::flush_reason::idle);
        return 0;
      }
      if (may_sleep_ns > 0) return steps == 0 ? may_sleep_ns : 0;
    }
    return 0;
  }

  bool all_ended() const {
    return std::all_of(pes_.begin(), pes_.end(), [](const auto& p) {
      return p->quiescence.ended() && !p->messages.has_waiting() && !p->messages.has_unsent();
    });
  }

  void sleep(std::int64_t ns) {
    const std::int64_t from_ns = now_ns();
    for (const auto& p : pes_) p->before_sleep();
    thread_.wait((ns + 999) / 1000);
    const std::int64_t slept_ns = now_ns() - from_ns;
    for (const auto& p : pes_) p->after_sleep(slept_ns);
  }

  const std::span<const std::unique_ptr<pe>> pes_;
  transport::shared_thread& thread_;
  void (*const entered_)(pe&);
  const int patient_rounds_;  // with nothing to do for anybody, before they sleep
};

}  // namespace

int run_time_multiplexed(std::span<const std::unique_ptr<pe>> pes, transport::shared_thread& thread,
                         void (*entered)(pe&)) {
  return turns(pes, thread, entered).run();
}

}  // namespace tsubu::remote
