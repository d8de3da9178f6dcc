// wants: no matching (member )?function for call to.*past
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct square : object<square> {
  double side = 0;
  void set(int to) { side = to; }
  void set(double to) { side = to; }
};

task<void> paint(ref<square> s) {
  s.past<&square::set>(2);
  co_return;
}
