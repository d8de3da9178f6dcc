// Has everything run that an epoch caused, everywhere? Exact, by counting; no time-outs, no waves.
//
// An epoch is a tree of the PEs that it has reached (E. W. Dijkstra, C. S. Scholten, "Termination detection for
// diffusing computations", 1980). Its root is the PE that opened it. A PE joins with the first message of the epoch
// that it executes, and keeps that one's acknowledgement back; others it acknowledges soon, many with one packet. When
// none of the epoch's tasks waits here and all that it has sent from here is acknowledged, the PE leaves: it sends what
// it deferred, and forgets the epoch. When the root could leave, the epoch has ended. docs/epochs.md has the argument.
//
// So a PE pays for the epochs that have reached it, and nothing for others; and keeps a record of fixed size for each.
//
// What is to come together at the root can go up the same tree: a PE sends it when it leaves, to the PE that keeps its
// last acknowledgement, and in front of that.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/task/group.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu::remote {

class pe;

// Travels as its bytes.
struct epoch_id {
  // In an arena's number, and in those of the epochs within one: what is made in it is noted (object/arenas.hpp).
  static constexpr std::uint32_t arena_bit = std::uint32_t{1} << 31;

  pe_id opener = no_pe;
  std::uint32_t number = 0;  // of those that PE opened
  bool in_arena() const { return (number & arena_bit) != 0; }
  std::uint64_t word() const { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(opener)) << 32 | number; }
  bool operator==(const epoch_id&) const = default;
};

enum class epoch_kind : std::uint8_t { plain, arena };

// What a PE has for the one above it in an epoch's tree.
class carried_up {
 public:
  virtual ~carried_up() = default;
  // Sends it there by messages of no epoch. Called once: it is then gone.
  virtual void send_to(pe_id above) = 0;
};

// An epoch on one PE. Its tasks here are the group.
class epoch_part final : public task_group {
 public:
  epoch_part(pe& here, epoch_id id, pe_id joined_by);
  epoch_part(const epoch_part&) = delete;
  epoch_part& operator=(const epoch_part&) = delete;

  const epoch_id& id() const { return id_; }
  // The root's, if it is a plain epoch in an arena: the part of the arena, or of an epoch in it, whose code opened it.
  epoch_part* within() const { return within_; }
  void sent_one() { ++unacknowledged_; }

  // So many messages from `from` have been executed, one at least, and are to be acknowledged.
  void executed(pe_id from, std::uint32_t count) {
    if (owed_used_ != 0 && owed_[owed_used_ - 1].to == from) {
      owed_[owed_used_ - 1].count += count;
    } else {
      owe(from, count);
    }
  }

  // Something may have changed that the next settle() looks at.
  void touch() {
    if (!touched_) touch_first();
  }

  // None of its tasks waits here, and nothing that it sent from here is under way.
  bool could_leave() const { return waiting == 0 && unacknowledged_ == 0; }

  // What is sent when this PE leaves, null if there is nothing. Not the root's, which never leaves.
  carried_up* carried() const { return carried_.get(); }
  void carry(std::unique_ptr<carried_up> what);

  // The root's: what it waits for.
  oneshot<void>& end() { return end_; }

 private:
  friend class epochs;
  struct debt {
    pe_id to;
    std::uint32_t count;
  };

  void touch_first();
  void owe(pe_id to, std::uint32_t count);
  void acknowledge();

  pe& pe_;
  epoch_id id_;
  pe_id joined_by_;  // no_pe at the root
  epoch_part* within_ = nullptr;
  bool touched_ = false;
  std::uint64_t unacknowledged_ = 0;
  std::uint32_t owed_used_ = 0;
  debt owed_[8];  // when it is full, all are sent
  oneshot<void> end_;
  detail::owned<carried_up> carried_;
};

// All epochs on one PE.
class epochs {
 public:
  explicit epochs(pe& here);
  epochs(const epochs&) = delete;
  epochs& operator=(const epochs&) = delete;
  ~epochs();

  epoch_part& open(epoch_kind kind);
  // Forgets an epoch that could end at once, or has ended.
  void close(epoch_part& root);

  // Null if this PE is not part of it.
  epoch_part* find(epoch_id id) {
    if (last_ != nullptr && last_->id() == id) [[likely]]
      return last_;
    return look(id);
  }
  // This PE becomes part of it, by a message from `from`.
  epoch_part& join(epoch_id id, pe_id from);
  // It takes part, since `from` has told it to, and counts that as a message to here. What it does for it begins now:
  // it is looked at again by the next settle().
  epoch_part& enter(epoch_id id, pe_id from);

  // By the handler. Ends the job if that many are not under way from here.
  void acknowledged(pe_id from, epoch_id id, std::uint32_t count);

  bool unsettled() const { return !touched_.empty(); }
  // Sends acknowledgements, leaves or ends what can be. Called between the steps of a PE, before it sends.
  void settle() {
    if (unsettled()) settle_all();
  }

  std::size_t parts() const;

 private:
  friend class epoch_part;
  epoch_part* look(epoch_id id);
  epoch_part& add(epoch_id id, pe_id joined_by);
  void remove(epoch_part& part);
  void settle_all();

  pe& pe_;
  struct table;
  const detail::owned<table> parts_;  // by epoch_id::word()
  epoch_part* last_ = nullptr;        // found last
  std::uint32_t opened_ = 0;
  std::vector<epoch_part*> touched_;
  std::vector<epoch_part*> settling_;
};

}  // namespace tsubu::remote
