#include "tsubu/remote/collectives.hpp"

namespace tsubu {

task<void> barrier(std::source_location where) {
  const auto both = [](remote::nothing, remote::nothing) { return remote::nothing{}; };
  co_await remote::all_reduce_named(remote::nothing{}, both, "barrier", where);
}

}  // namespace tsubu
