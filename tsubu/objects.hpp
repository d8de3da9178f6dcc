// Concurrent objects, and what core.hpp has.
#pragma once

#include "tsubu/core.hpp"
#include "tsubu/object/arena.hpp"
#include "tsubu/object/array.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/object/monitor.hpp"
#include "tsubu/object/stream.hpp"
