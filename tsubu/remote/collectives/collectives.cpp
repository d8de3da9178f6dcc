#include "tsubu/remote/collectives/collectives.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/base/described_error.hpp"

namespace tsubu {

void remote::operation_threw() {
  fail("the operation of a reduction has thrown " + detail::describe_exception(std::current_exception()));
}

task<void> barrier(team members, std::source_location where) {
  const auto both = [](remote::nothing, remote::nothing) { return remote::nothing{}; };
  co_await remote::all_reduce_as(remote::collective_kind::barrier, std::move(members), remote::nothing{},
                                 reduce::commuting(both), where);
}

task<void> barrier(std::source_location where) { return barrier(world(), where); }

}  // namespace tsubu
