// Creations that are deferred for a moment: mostly the first message to the new object follows at once, and then both
// go in one packet (packets.hpp).
//
// While one is deferred, whatever else its PE sends asks first (base/send_bound.hpp), and the creation goes before it.
// So the order of what is sent stays as it is, but for creations on other PEs than the message's.
#pragma once

#include <array>

#include "tsubu/base/send_bound.hpp"
#include "tsubu/object/identity.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::objects {

class deferred_creations final : sent_first {
 public:
  // As many as an object has children on other PEs, mostly.
  static constexpr int most = 4;
  // Sends the creation of the object of that name, which has been numbered here.
  using send_function = void (*)(const identity&);

  // Packets go straight to `pes` PEs; 0 if they do not, or if each leaves alone and there is nothing to be gained.
  explicit deferred_creations(std::uint32_t pes) : pes_(pes) {}
  deferred_creations(const deferred_creations&) = delete;
  deferred_creations& operator=(const deferred_creations&) = delete;

  // Whether one may be deferred that is sent now: in an epoch each message is counted when it is sent.
  bool may_defer() const { return this_task_group == nullptr && pes_ != 0; }
  void defer(const identity& id, send_function send) {
    if (count_ == most) [[unlikely]]
      send_all();
    deferred_[count_++] = {id, send};
    keep_as_first(*this);
  }

  // True if the creation of that object was deferred: then it is not any more, and those on the same PE that were
  // before it have been sent. The first message to it must take it along, and goes before the others.
  [[gnu::always_inline]] bool take(const identity& id) {
    if (count_ == 0 || this_task_group != nullptr) return false;
    if (count_ != 1 || !(deferred_[0].id == id)) return take_of_several(id);
    count_ = 0;
    none_is_first(pes_, false);
    return true;
  }

 private:
  struct creation {
    identity id;
    send_function send = nullptr;
  };

  void send_all() override;
  bool take_of_several(const identity& id);

  std::uint32_t pes_;  // constant after construction
  std::uint32_t count_ = 0;
  std::array<creation, most> deferred_;  // the first count_ of them, in the order of their creation
};

}  // namespace tsubu::objects
