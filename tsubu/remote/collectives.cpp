#include "tsubu/remote/collectives.hpp"

namespace tsubu {

task<void> barrier(std::source_location where) {
  const auto both = [](remote::nothing, remote::nothing) { return remote::nothing{}; };
  co_await remote::all_reduce_as(remote::collective_kind::barrier, remote::nothing{}, both, where);
}

}  // namespace tsubu
