// Everything a program includes: core.hpp, objects.hpp and shared.hpp, collectives, epochs, memory of other PEs, and
// work without an owner.
#pragma once

#include "tsubu/base/large_pages.hpp"
#include "tsubu/core.hpp"
#include "tsubu/objects.hpp"
#include "tsubu/parallel/parallel_for.hpp"
#include "tsubu/parallel/parallel_items.hpp"
#include "tsubu/parallel/until_cancelled.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/gate.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/memory/read_each.hpp"
#include "tsubu/remote/memory/shared_object.hpp"
#include "tsubu/remote/messages/write_combining_table.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/remote/termination/team_epoch.hpp"
#include "tsubu/shared.hpp"
#include "tsubu/task/fetch.hpp"
