// Shared variables and arrays, locks, counters and barriers, and what core.hpp has.
#pragma once

#include "tsubu/core.hpp"
#include "tsubu/data/arrays/shared_array.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"
#include "tsubu/data/sync/counter.hpp"
#include "tsubu/data/sync/lock.hpp"
#include "tsubu/data/sync/named_barrier.hpp"
#include "tsubu/data/sync/rw_lock.hpp"
