#include "bank_in_cpp.hpp"

tsubu::task<abcl::integer> audit(const std::vector<tsubu::ref<bank::Account>>& accounts) {
  abcl::integer total = 0;
  for (const tsubu::ref<bank::Account>& each : accounts) total += co_await each.now<&bank::Account::on_balance>();
  co_return total;
}
