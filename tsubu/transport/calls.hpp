// How often a transport has asked the library below it: what waiting by polling comes to.
#pragma once

#include <cstdint>

namespace tsubu::transport {

struct library_calls {
  std::uint64_t probes = 0;  // whether a message has come
  std::uint64_t tests = 0;   // whether what was begun, a send or the bytes of a bulk, is complete
};

// What a plug-in may export beside itself, under the name `tsubu_transport_calls`: tells the calls of this process so
// far. By any thread of it.
using calls_of_library = library_calls (*)();

}  // namespace tsubu::transport
