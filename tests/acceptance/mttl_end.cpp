// How a job of MTTL's ends: by mpc_exit, by a mistake, by a deadlock. The argument says which.
#include <mpcxx.h>

#include <string>

namespace {

struct shape {
  virtual ~shape() = default;
  virtual int sides() { return 0; }
};

void leave(int code) { mpc_exit(code); }
void leave_and_wait(int code) {
  invoke((myNode + 1) % numNode, leave, code);
  std::printf("mpc_exit returned\n");
}
void fail_alone() { throw std::runtime_error("thrown for nobody"); }

}  // namespace

extern "C" int c_function(int x) { return x; }

int mpc_main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "return";
  int i = 0;
  if (how == "return") return 5;
  if (how == "exit") mpc_exit(3);
  if (how == "exit-elsewhere") invoke(1, leave_and_wait, 4);
  if (how == "deadlock") {
    Sync<int> never;
    never.read();
  }
  if (how == "no-such-node") invoke(i, numNode, +[](int x) { return x; }, 1);
  if (how == "withdrawn") {
    const GlobalPtr<int> p(&i);
    p.withdraw();
    invoke(1, +[](GlobalPtr<int> gone) { gone.nwrite(&myNode, 1); }, p);
    Barrier().exec();
  }
  if (how == "outside") {
    const GlobalPtr<int> p = remoteAlloc<int>(1, 10);
    p[10] = 1;
  }
  if (how == "addr") remoteAlloc<int>(1).addr();
  if (how == "virtual") invoke(i, remoteAlloc<shape>(1), &shape::sides);
  if (how == "c-function") invoke(i, 1, c_function, 1);
  if (how == "thrown-for-nobody") ainvoke(1, fail_alone);
  if (how == "thrown") throw std::runtime_error("thrown by main");
  return 0;
}
