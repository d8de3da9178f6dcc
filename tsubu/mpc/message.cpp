#include "tsubu/mpc/message.hpp"

#include "tsubu/mpc/state.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::mpc {

void check_node(int node) {
  require(node >= 0 && node < pe_count(), "node {} is named, but the job's nodes are 0 to {}", node, pe_count() - 1);
}

void count_received() { ++my_state().counted.recv; }

void count_sent(std::size_t header_bytes, std::size_t payload_bytes, bool split) {
  counters& counted = my_state().counted;
  ++counted.asend;
  if (split) ++counted.nsend;
  counted.header_bytes += header_bytes;
  counted.payload_bytes += payload_bytes;
}

void fail_unpack(pe_id from, const char* what) {
  fail("a bad message came from PE " + std::to_string(from) + ": " + what);
}

}  // namespace tsubu::mpc
