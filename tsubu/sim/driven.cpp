#include "tsubu/sim/driven.hpp"

#include <utility>
#include <vector>

#include "tsubu/base/random.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/remote/wait_reports.hpp"
#include "tsubu/task/scheduler.hpp"

namespace tsubu::sim {
namespace {

// Any ready task may be next.
class random_order final : public scheduler {
 public:
  explicit random_order(std::uint64_t seed) : random_(seed) {}
  void ready(ready_item item, int priority) override { items_.push_back({item, priority}); }
  choice next() override {
    std::swap(items_[random_.below(items_.size())], items_.back());
    const choice chosen = items_.back();
    items_.pop_back();
    return chosen;
  }
  bool empty() const override { return items_.empty(); }

 private:
  random_source random_;
  std::vector<choice> items_;
};

class runtime_pe final : public driven_pe {
 public:
  explicit runtime_pe(std::unique_ptr<remote::pe> pe) : pe_(std::move(pe)) {}

  void enter() override { pe_->enter(); }
  void begin_turn() override { pe_->begin_turn(); }
  std::int64_t end_turn() override { return pe_->end_turn(); }
  bool ended() const override { return pe_->quiescence.ended(); }
  bool take_last_turn() override { return pe_->take_last_turn(); }
  int exit_code() const override { return pe_->quiescence.exit_code(); }
  deeds done() const override {
    const auto& counted = pe_->messages.counted();
    return {counted.packets_executed, counted.packets_passed_on, counted.packets_sent, pe_->tasks_run()};
  }
  // A job that names an order of its own keeps that.
  void shuffle_tasks(std::uint64_t seed) override {
    if (pe_->tasks.is_round_robin()) pe_->tasks.set_scheduler(std::make_unique<random_order>(seed));
  }
  std::string waiting_tasks() const override { return pe_->waits.text(*pe_); }

 private:
  std::unique_ptr<remote::pe> pe_;
};

}  // namespace

std::unique_ptr<driven_pe> driven(std::unique_ptr<remote::pe> pe) {
  return std::make_unique<runtime_pe>(std::move(pe));
}

}  // namespace tsubu::sim
