// The world outside a job, awaited by its tasks: sockets, files, signals, the standard input. Beside tsubu/tsubu.hpp.
#pragma once

#include "tsubu/outside/connection.hpp"
#include "tsubu/outside/error.hpp"
#include "tsubu/outside/files.hpp"
#include "tsubu/outside/input.hpp"
#include "tsubu/outside/listener.hpp"
#include "tsubu/outside/offload.hpp"
#include "tsubu/outside/signals.hpp"
#include "tsubu/task/spawn.hpp"
