#include "tsubu/object/placement.hpp"

#include "tsubu/base/random.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu {

namespace {

struct turns {
  pe_id next = this_pe();
  random_source random{static_cast<std::uint64_t>(this_pe()) + 1};
};
pe_local<turns> turns_here;

}  // namespace

pe_id anywhere::choose() const {
  if (own_ != nullptr) return own_();
  const pe_id pes = pe_count();
  switch (policy_) {
    case placement::round_robin:
      return turns_here->next = (turns_here->next + 1) % pes;
    case placement::random:
      return static_cast<pe_id>(turns_here->random.below(static_cast<std::uint64_t>(pes)));
    case placement::neighbour:
      return (this_pe() + 1) % pes;
    case placement::least_loaded:
      break;
  }
  return objects::this_space().place_new(false);
}

}  // namespace tsubu
