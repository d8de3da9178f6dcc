// Values that each thread has of its own: pthread_key_create() and what belongs to it.
#pragma once

#include "tsubu/eulash/thread.hpp"

namespace tsubu::placed {

// The thread ends: what has a destructor and is not null is given to it, four times over at most. May wait.
void destroy_own_values(thread& self);

}  // namespace tsubu::placed
