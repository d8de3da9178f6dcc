// wants: the elements of a shared array hold values that can travel
#include <string_view>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const auto names = co_await create_shared_array(10, by_block(), protocol::global, std::string_view("grain"));
  co_return static_cast<int>(names.size());
}
