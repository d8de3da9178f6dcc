// What ends a clause that (non-resume) leaves, and with it each clause that waits for its reply.
#pragma once

#include <stdexcept>

#include "tsubu/remote/messages/register_exception.hpp"

namespace abcl {

struct not_resumed : std::runtime_error {
  using std::runtime_error::runtime_error;
  not_resumed() : std::runtime_error("an express message has ended what was asked for (non-resume)") {}
};
inline const bool not_resumed_travels = tsubu::register_exception<not_resumed>();

}  // namespace abcl
