// MTTL, the Multi-Thread Template Library of MPC++ 2.0, under its own names.
//
//   #include <tsubu/mpc.hpp>                  // or <mpcxx.h>, which also says the next line
//   using namespace tsubu::mpc;
//
//   int foo(int a, int b) { return a + b; }
//
//   int mpc_main(int argc, char** argv) {     // runs on node 0; the others answer messages
//     int i;
//     invoke(i, 1, foo, 1, 2);                // foo(1, 2) on node 1
//     std::printf("%d of %d: %d\n", myNode, numNode, i);
//     return 0;
//   }
//
// Link tsubu::mpc_main, which brings main(). Functions are plain and block: mpc_main and every invoked
// function run in a fiber of their own, and only waiting, yield() or their end lets another one run.
//
// A *node* is a PE. On the threads transport all nodes share one process, so a variable at file scope,
// which MTTL has once per node, is declared `tsubu::pe_local<T>`.
//
// Source: Ishikawa, Hori, Tezuka et al., MPC++ 2.0; Sakae et al., "MPC++ on MPI", 2000, whose figures and
// message counts the tests in tests/acceptance reproduce. The signatures are ours where the papers show none.
#pragma once

#include "tsubu/mpc/collectives.hpp"
#include "tsubu/mpc/counters.hpp"
#include "tsubu/mpc/global_ptr.hpp"
#include "tsubu/mpc/invoke.hpp"
#include "tsubu/mpc/node.hpp"
#include "tsubu/mpc/sync.hpp"
#include "tsubu/mpc/trace.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/remote/pe_local.hpp"
