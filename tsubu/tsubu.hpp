// Everything a program includes.
#pragma once

#include "tsubu/remote/at.hpp"
#include "tsubu/remote/collectives.hpp"
#include "tsubu/remote/epoch.hpp"
#include "tsubu/remote/global_ptr.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/quiescence.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/for_each.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/when.hpp"
#include "tsubu/task/yield.hpp"
