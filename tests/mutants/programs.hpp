// Programs that schedules run, beside those of schedules.cpp.
#pragma once

#include "tsubu/tsubu.hpp"

tsubu::task<int> variables_are_linearizable();
