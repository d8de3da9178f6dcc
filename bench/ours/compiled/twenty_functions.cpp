// A program that sends to twenty functions: its compile time and its code are measured (bench/suites/users.py).
#include <tsubu/tsubu.hpp>

namespace {

tsubu::pe_local<long> balance;
void add_1(long by) { *balance += by + 1; }
void add_2(long by) { *balance += by + 2; }
void add_3(long by) { *balance += by + 3; }
void add_4(long by) { *balance += by + 4; }
void add_5(long by) { *balance += by + 5; }
void add_6(long by) { *balance += by + 6; }
void add_7(long by) { *balance += by + 7; }
void add_8(long by) { *balance += by + 8; }
void add_9(long by) { *balance += by + 9; }
void add_10(long by) { *balance += by + 10; }
void add_11(long by) { *balance += by + 11; }
void add_12(long by) { *balance += by + 12; }
void add_13(long by) { *balance += by + 13; }
void add_14(long by) { *balance += by + 14; }
void add_15(long by) { *balance += by + 15; }
void add_16(long by) { *balance += by + 16; }
void add_17(long by) { *balance += by + 17; }
void add_18(long by) { *balance += by + 18; }
void add_19(long by) { *balance += by + 19; }
void add_20(long by) { *balance += by + 20; }

tsubu::task<int> program(tsubu::arguments) {
  const auto there = tsubu::at(0);
  there.past<add_1>(1);
  there.past<add_2>(2);
  there.past<add_3>(3);
  there.past<add_4>(4);
  there.past<add_5>(5);
  there.past<add_6>(6);
  there.past<add_7>(7);
  there.past<add_8>(8);
  there.past<add_9>(9);
  there.past<add_10>(10);
  there.past<add_11>(11);
  there.past<add_12>(12);
  there.past<add_13>(13);
  there.past<add_14>(14);
  there.past<add_15>(15);
  there.past<add_16>(16);
  there.past<add_17>(17);
  there.past<add_18>(18);
  there.past<add_19>(19);
  there.past<add_20>(20);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run(argc, argv, program); }
