#include "tsubu/task/scope.hpp"

#include <exception>
#include <utility>

namespace tsubu {

task<void> scope::join() {
  while (running_ > 0) co_await all_ended(*this);
  joined_ = true;
  if (std::exception_ptr first = std::exchange(first_error_, nullptr)) std::rethrow_exception(std::move(first));
}

}  // namespace tsubu
