// wants: only a lambda whose captures are trivially copyable can be sent
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, std::string("a"));
  const std::string more = "b";
  const auto append = [more](std::string& value) { value += more; };
  co_await x.change(append);
  co_return 0;
}
