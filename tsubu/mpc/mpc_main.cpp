// The main() of a program that has only mpc_main(): a library of its own, as in MTTL.
#include "tsubu/mpc/node.hpp"

int mpc_main(int argc, char** argv);

int main(int argc, char** argv) { return tsubu::mpc::start(argc, argv, mpc_main); }
