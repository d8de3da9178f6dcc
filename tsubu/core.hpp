// Messages to PEs, tasks, printing, and how a program is started: what the smallest program includes.
#pragma once

#if __cplusplus < 202002L
#error "Tsubu needs C++20: compile with -std=c++20"
#endif

#include "tsubu/base/clock.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/messages/cancel.hpp"
#include "tsubu/remote/messages/register_exception.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/printing/say.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/for_each.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/when_any.hpp"
#include "tsubu/task/yield.hpp"
