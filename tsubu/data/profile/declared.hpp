// As what a shared array was declared, and where a profile has it, if one is wanted.
#pragma once

#include "tsubu/data/protocol.hpp"

namespace tsubu::data {

class site;  // profile.hpp

// How an array is to be made.
struct declared {
  protocol how;
  site* at = nullptr;
  bool watched = false;  // for the profile: each of its elements
};

}  // namespace tsubu::data
