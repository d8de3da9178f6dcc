// Blocks of shared arrays in the memory of other PEs: those of this PE that are elsewhere, and the guests, which are
// here for others.
//
// A PE that has little memory left asks one after the other for room. What it then lends keeps a number; it asks for it
// when an access needs it, and the access waits at its home like one that waits for copies. The other PE may send a
// guest back at any time, since its own arrays come first: so what it has lent room for is no promise, and a guest for
// which there is none any more goes straight back. A block is sent, asked for and sent back in the order of messages
// between two PEs, so the question for one that is on its way back already is one that finds nothing.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/data/arrays/block_store.hpp"
#include "tsubu/data/key.hpp"

namespace tsubu::data {

class loans final : public block_store::other_pes {
 public:
  // As it travels.
  using contents = std::vector<std::uint64_t>;
  static constexpr std::uint32_t most_asked_for = 16;  // blocks at a time

  loans(block_store& store, pe_id me, pe_id pes);
  loans(const loans&) = delete;
  loans& operator=(const loans&) = delete;
  ~loans();

  // ---- for the blocks of this PE
  bool lend(block_store::block& b) override;
  void forget(block_store::block& b) override;
  void ask_for_room() override;
  // The block is wanted, for the element `name`, which take_back() then returns.
  void fetch(block_store::block& b, key name);
  // An answer to ask_for_room().
  void granted(pe_id by, std::uint32_t blocks);
  // `has_room`: for another one. Returns the elements that waited.
  std::vector<key> take_back(pe_id from, std::uint64_t number, bool has_room, const contents& bytes);

  // ---- for those of others
  std::uint32_t grant(std::uint32_t asked) const;
  void receive(pe_id from, std::uint64_t number, contents&& bytes);
  void send_back(pe_id to, std::uint64_t number);
  void discard(pe_id of, std::uint64_t number);
  void return_oldest_guest() override;

  std::uint64_t blocks_lent() const { return lent_; }
  std::uint64_t blocks_fetched() const { return fetched_; }
  std::uint64_t blocks_received() const { return received_; }

 private:
  struct loan {
    block_store::block* block;
    pe_id at;
    bool asked_for;
    std::vector<key> waiting;
  };
  struct guest {
    pe_id of;
    std::uint64_t number;
    contents bytes;
  };
  using guest_list = std::list<guest>;

  void no_room_at(pe_id pe);
  static std::uint64_t name_of(pe_id of, std::uint64_t number) { return static_cast<std::uint64_t>(of) << 40 | number; }
  guest_list::iterator find_guest(pe_id of, std::uint64_t number);
  void remove(guest_list::iterator g);

  block_store& store_;
  const pe_id me_;
  const pe_id pes_;

  std::unordered_map<std::uint64_t, loan> loans_;             // by their numbers
  std::uint64_t last_number_ = 0;                             // of a loan
  std::vector<std::pair<pe_id, std::uint32_t>> room_;         // that others have granted, in blocks
  pe_id next_;                                                // who was asked last
  bool asks_ = false;                                         // and has not answered yet
  pe_id refusals_ = 0;                                        // one after the other
  std::uint32_t pause_ = 0;                                   // blocks that leave before anybody is asked again
  static constexpr std::uint32_t pause_after_refusals = 256;  // of all

  guest_list guests_;  // the oldest first
  std::unordered_map<std::uint64_t, guest_list::iterator> found_;
  std::unordered_map<pe_id, std::uint64_t> last_of_;  // the last number that came from a PE

  std::uint64_t lent_ = 0;
  std::uint64_t fetched_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace tsubu::data
