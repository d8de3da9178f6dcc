// The seam between the runtime and a simulated machine: all that such a machine is told or asked, in one place.
//
// A machine that is simulated has to know what a message means to it: EM-4 creates an object in other steps than it
// answers a request. A handler therefore says its message's kind and how many values it carries; nothing of that
// travels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsubu {

// What a message means to a machine that has its own way to send each kind.
enum class message_kind : std::uint8_t {
  control,  // the runtime's own
  past,     // to a PE
  create,   // an object
  request,  // to an object
  reply,
  read,    // another PE's memory
  answer,  // to a read
  write,
  collective,  // of a reduction, barrier and the like
};

// What a machine has to know of a message.
struct message_facts {
  message_kind kind = message_kind::past;
  std::size_t words = 0;      // of arguments
  std::uint32_t handler = 0;  // the number of its handler, the same on all PEs
};

}  // namespace tsubu
