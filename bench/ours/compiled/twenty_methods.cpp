// A program that sends to twenty methods of an object: its compile time and its code are measured
// (bench/suites/users.py).
#include <tsubu/tsubu.hpp>

namespace {

struct account : tsubu::object<account> {
  long balance = 0;
  void add_1(long by) { balance += by + 1; }
  void add_2(long by) { balance += by + 2; }
  void add_3(long by) { balance += by + 3; }
  void add_4(long by) { balance += by + 4; }
  void add_5(long by) { balance += by + 5; }
  void add_6(long by) { balance += by + 6; }
  void add_7(long by) { balance += by + 7; }
  void add_8(long by) { balance += by + 8; }
  void add_9(long by) { balance += by + 9; }
  void add_10(long by) { balance += by + 10; }
  void add_11(long by) { balance += by + 11; }
  void add_12(long by) { balance += by + 12; }
  void add_13(long by) { balance += by + 13; }
  void add_14(long by) { balance += by + 14; }
  void add_15(long by) { balance += by + 15; }
  void add_16(long by) { balance += by + 16; }
  void add_17(long by) { balance += by + 17; }
  void add_18(long by) { balance += by + 18; }
  void add_19(long by) { balance += by + 19; }
  void add_20(long by) { balance += by + 20; }
};

tsubu::task<int> program(tsubu::arguments) {
  const auto a = tsubu::create<account>(tsubu::at(0));
  a.past<&account::add_1>(1);
  a.past<&account::add_2>(2);
  a.past<&account::add_3>(3);
  a.past<&account::add_4>(4);
  a.past<&account::add_5>(5);
  a.past<&account::add_6>(6);
  a.past<&account::add_7>(7);
  a.past<&account::add_8>(8);
  a.past<&account::add_9>(9);
  a.past<&account::add_10>(10);
  a.past<&account::add_11>(11);
  a.past<&account::add_12>(12);
  a.past<&account::add_13>(13);
  a.past<&account::add_14>(14);
  a.past<&account::add_15>(15);
  a.past<&account::add_16>(16);
  a.past<&account::add_17>(17);
  a.past<&account::add_18>(18);
  a.past<&account::add_19>(19);
  a.past<&account::add_20>(20);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run(argc, argv, program); }
