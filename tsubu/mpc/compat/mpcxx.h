// The header that programs written for MPC++ 2.0 include: MTTL's names without a namespace.
#pragma once

#include <tsubu/mpc.hpp>

using namespace tsubu::mpc;
