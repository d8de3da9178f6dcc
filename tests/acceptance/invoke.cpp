// A program of the form of MPC++'s first example (the paper's figures 2 and 3): foo(1, 2) on node 1.
#include <mpcxx.h>

#include <cstdio>

int foo(int a, int b) {
  std::printf("foo runs on node %d\n", myNode);
  return 10 * a + b;
}

int mpc_main(int, char**) {
  int i = 0;
  invoke(i, 1, foo, 1, 2);
  std::printf("invoke: %d on node %d of %d\n", i, myNode, numNode);
  return i == 12 ? 0 : 1;
}
