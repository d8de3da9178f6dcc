// wants: nor a type without serialize
#include <memory>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct tree {
  std::string name;
  std::shared_ptr<tree> left, right;
};
void plant(tree t) { (void)t; }

task<int> program(arguments) {
  tree oak;
  at(0).past<plant>(oak);
  co_return 0;
}
