// wants: a parameter's type has no default constructor
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct label {
  explicit label(std::string t) : text(std::move(t)) {}
  std::string text;
  template <class A>
  void serialize(A& a) {
    a(text);
  }
};
void stick(label l) { (void)l; }

task<int> program(arguments) {
  at(0).past<stick>(label("fragile"));
  co_return 0;
}
