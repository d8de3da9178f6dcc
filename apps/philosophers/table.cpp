#include "apps/philosophers/table.hpp"

#include <utility>

namespace philosophers {

using namespace tsubu;

task<void> fork::pick_up(reply_to<void> asker) {
  asker.reply();
  co_await accept<&fork::put_down>();
}

void fork::put_down() {}

philosopher::philosopher(ref<fork> first, ref<fork> second) : first_(first), second_(second) {}

void philosopher::sits_beside(ref<philosopher> neighbour) { neighbour_ = neighbour; }

task<void> philosopher::begin() {
  co_await first_.now<&fork::pick_up>();
  has_first_ = true;
}

task<void> philosopher::dine(std::int64_t meals) {
  for (; meals > 0; --meals) {
    if (!std::exchange(has_first_, false)) co_await first_.now<&fork::pick_up>();
    co_await second_.now<&fork::pick_up>();
    eating_ = true;
    const bool clash = co_await neighbour_.now<&philosopher::is_eating>();
    if (clash) ++clashes_;
    eating_ = false;
    ++eaten_;
    first_.past<&fork::put_down>();
    second_.past<&fork::put_down>();
  }
}

}  // namespace philosophers
