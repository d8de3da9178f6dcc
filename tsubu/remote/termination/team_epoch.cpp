#include "tsubu/remote/termination/team_epoch.hpp"

namespace tsubu::remote {

void invite_children(const collective_call& call, epoch_part& part) {
  for_each_child(call.rank(), call.size(), [&](pe_id child) {
    collective_send<epoch_id>(call, 0, child, part.id());
    part.sent_one();
  });
}

void tell_children_the_end(const collective_call& call) {
  for_each_child(call.rank(), call.size(),
                 [&](pe_id child) { collective_send<nothing>(call, fold_out, child, nothing()); });
}

}  // namespace tsubu::remote
