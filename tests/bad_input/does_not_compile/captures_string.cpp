// wants: only a lambda whose captures are trivially copyable can be sent
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  std::string name = "grain";
  co_await at(0).now([name] { return name.size(); });
  co_return 0;
}
