// Before anything else is executed, the PEs find out whether they run the same program, and send in the same way.
#pragma once

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

// Compares the digest of the handlers, and over how many links packets go, with all PEs. Collective; blocks. Ends the
// job on a difference. Batches that have come meanwhile from PEs which know already that all agree are left in `early`,
// in order.
void shake_hands(transport::transport& below, transport::batch_queue& early);

}  // namespace tsubu::message
