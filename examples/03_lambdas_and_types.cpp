// What may be sent, and what may travel with it.
//
// Arguments and results are values. Trivially copyable ones travel as their bytes; std::string,
// std::vector, std::map and std::pair travel through cereal, and so do types with a serialize().
// A lambda may be sent if its captures are trivially copyable: they travel as its bytes.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace tsubu;

// Trivially copyable: nothing to declare.
struct point {
  double x, y;
};

// Owns memory: cereal asks what it consists of.
struct student {
  std::string name;
  std::vector<int> marks;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, marks);
  }
};

point mirrored(point p) { return {p.y, p.x}; }

student with_mark(student s, int mark) {
  s.marks.push_back(mark);
  return s;
}

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  bool right = true;

  const point q = co_await at(last).now<mirrored>(point{1, 2});
  right = right && q.x == 2 && q.y == 1;

  // An aggregate that owns memory gets a name before it is sent: g++ 12 would destroy it twice.
  const student ann{"Ann", {5, 4}};
  const student better = co_await at(last).now<with_mark>(ann, 3);
  std::printf("%s has %zu marks\n", better.name.c_str(), better.marks.size());
  right = right && better.name == "Ann" && better.marks == std::vector<int>{5, 4, 3};

  // k travels inside the lambda. A capture by reference would compile, and point nowhere over there.
  const int k = pe_count() + 5;
  right = right && co_await at(last).now([k] { return k * (this_pe() + 1); }) == k * (last + 1);

  // What owns memory is an argument, not a capture.
  const std::vector<int> values{3, 9, 4};
  const auto largest = [](std::vector<int> v) { return *std::max_element(v.begin(), v.end()); };
  right = right && co_await at(last).now(largest, values) == 9;

  // A target that has to wait is a coroutine. The sender sees no difference.
  const auto forward = [](int x) -> task<int> {
    const pe_id next = (this_pe() + 1) % pe_count();
    co_return co_await at(next).now([x] { return x + this_pe(); });
  };
  right = right && co_await at(last).now(forward, 100) == 100;  // the PE after the last is PE 0

  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
