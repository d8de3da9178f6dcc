#include "tsubu/remote/messages/at.hpp"

#include <utility>
#include <vector>

namespace tsubu {

task<void> everywhere_destination::await_all(std::vector<tsubu::future<void>> replies) {
  for (auto& reply : replies) co_await std::move(reply);
}

}  // namespace tsubu
