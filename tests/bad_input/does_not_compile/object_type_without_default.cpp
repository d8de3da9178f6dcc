// wants: argument_of_method_has_no_default_constructor<.*box::stick.*1.*label
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
struct box : object<box> {
  void stick(label l) { (void)l; }
};

task<int> program(arguments) {
  create<box>(at(0)).past<&box::stick>(label("fragile"));
  co_return 0;
}
