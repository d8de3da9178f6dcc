// wants: needs one more header: <cereal/types/memory.hpp>
#include <memory>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

void keep(std::unique_ptr<std::string> text) { (void)text; }

task<int> program(arguments) {
  at(0).past<keep>(std::make_unique<std::string>("a text"));
  co_return 0;
}
