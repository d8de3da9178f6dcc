// How the PEs tell each other, after each iteration, which neurons fire.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "apps/channel/neurons.hpp"
#include "tsubu/tsubu.hpp"

namespace channel {

// The nets of a PE: blocks of those that follow each other, which begin near each other in many channels. Local.
inline tsubu::pe_id pe_of(std::uint32_t net, std::size_t nets) {
  return tsubu::by_block().home(net, nets, tsubu::pe_count());
}
inline std::vector<std::uint32_t> nets_here(std::size_t nets) {
  std::vector<std::uint32_t> here;
  tsubu::by_block().for_each_on(tsubu::this_pe(), nets, tsubu::pe_count(),
                                [&](std::size_t i) { here.push_back(static_cast<std::uint32_t>(i)); });
  return here;
}

class firing_exchange {
 public:
  virtual ~firing_exchange() = default;

  // Gives what this PE's nets fire to those who need it, and takes what it needs: what neighbours of its nets fire.
  // fire: by net; of nets that are neither this PE's nor needed it says nothing. changed: which of this PE's nets fire
  // otherwise than in the call before. Collective; and between two calls every PE comes to a collective at which all
  // meet.
  virtual tsubu::task<void> exchange(const std::vector<std::uint32_t>* changed, std::vector<firing>* fire) = 0;
};

// What a net fires is an element of a shared array, which its PE writes and the others read. Collective.
tsubu::task<std::unique_ptr<firing_exchange>> make_shared_exchange(const std::vector<net>* nets, tsubu::protocol how);

// By hand: a message to each PE that has neighbours of one's nets. Local; one at a time in a job.
std::unique_ptr<firing_exchange> make_message_exchange(const std::vector<net>& nets);

}  // namespace channel
