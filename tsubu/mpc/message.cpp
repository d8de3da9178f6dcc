#include "tsubu/mpc/message.hpp"

#include "tsubu/remote/pe.hpp"

namespace tsubu::mpc {

void check_node(int node) {
  require(node >= 0 && node < pe_count(), "node {} is named, but the job's nodes are 0 to {}", node, pe_count() - 1);
}

void fail_unpack(pe_id from, const char* what) {
  fail("a bad message came from PE " + std::to_string(from) + ": " + what);
}

}  // namespace tsubu::mpc
