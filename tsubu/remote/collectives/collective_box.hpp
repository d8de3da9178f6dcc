// Where the packets of collectives meet the tasks that wait for them.
//
// PEs come to a collective at different times, so a packet may be there before anybody asks for it, or the task before
// the packet. Both are known by the team, the number of the call among those of the team, the step in it, and who
// sends. What all members must agree on travels with each packet: the collective, its root, its operation and, as the
// packet's type, the type of its value. A difference ends the job and names the lines of both calls. So does a packet
// that nobody has asked for when the job ends: a PE that has not called what the others have.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/collectives/team.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu::remote {

enum class collective_kind : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  all_reduce,
  scan,
  gather,
  all_to_all,
  all_gather,
  split,
  epoch
};

// Steps of a collective: rounds 0.., and these.
using collective_step = std::uint32_t;
inline constexpr collective_step across_rows = 0x40;  // where members are in rows: the first round between rows
inline constexpr collective_step fold_in = 0x80;
inline constexpr collective_step fold_out = 0x81;
inline constexpr collective_step straight = 0x90;  // what is too long to ride with others'
inline constexpr collective_step straight_across = 0x91;

// How a call has gone about it, where that depends on sizes: --tsubu-stats counts the calls.
enum class collective_algorithm : std::uint8_t {
  all_reduce_by_doubling,
  all_reduce_on_one,
  all_reduce_in_halves,
  broadcast_down_tree,
  broadcast_in_pieces,
  gather_straight,
  gather_riding,
  all_gather_straight,
  all_gather_on_one,
  all_gather_riding,
  all_to_all_straight,
  all_to_all_riding,
  count
};
inline constexpr std::size_t collective_algorithms = static_cast<std::size_t>(collective_algorithm::count);
const char* name_of(collective_algorithm way);

// What a packet says of the call that sent it.
struct collective_head {
  team_id team;
  std::uint32_t call;       // its number on each member, modulo 2^32
  std::uint32_t operation;  // a hash of its type's name
  pe_id root;               // its rank
  std::int32_t file;        // of the call: program_offset()
  std::uint32_t line : 20;
  std::uint32_t kind : 4;
  std::uint32_t step : 8;
};
static_assert(sizeof(collective_head) == 28);

std::uint32_t operation_number(const char* type, const void* function);

// The same on all PEs for the same operation. Two `std::function`s are the same, whatever they hold.
template <class Op>
std::uint32_t operation_number(const Op& op) {
  if constexpr (std::is_pointer_v<Op>) {
    return operation_number(typeid(Op).name(), reinterpret_cast<const void*>(op));
  } else {
    static const std::uint32_t number = operation_number(typeid(Op).name(), nullptr);
    return number;
  }
}

// One that commutes may take another course than the same one by itself.
template <class Op>
std::uint32_t operation_number(const reduce::commuting_op<Op>& op) {
  return operation_number(op.op) + 1;
}

// Told when this PE comes to a meeting of the whole job, where each PE waits for all others, and when it goes on.
// Several tasks of a PE may be at meetings at a time.
class meeting_watcher {
 public:
  virtual void arrive(std::uint32_t kind) = 0;  // the same on all PEs, if they meet there
  virtual void go_on() = 0;

 protected:
  ~meeting_watcher() = default;
};
inline constexpr std::uint32_t meets_in_quiescence = 0x100;  // a kind beside those of collectives

// One call of a collective on this PE, which takes the next number of the team. `members` outlives it.
class collective_call {
 public:
  collective_call(collective_kind kind, const team& members, std::source_location where, pe_id root = 0,
                  std::uint32_t operation = 0);
  collective_call(const collective_call&) = delete;
  collective_call& operator=(const collective_call&) = delete;
  ~collective_call() {
    if (watched_) [[unlikely]]
      tell_end();
  }

  // This PE's rank in the team, and so on; the whole job's ranks are the numbers of its PEs.
  pe_id rank() const { return team_.rank; }
  pe_id size() const { return team_.members.size(); }
  pe_id pe(pe_id rank) const { return team_.members.pe(rank); }

  // What is said of its packets of that step, and expected of others'.
  collective_head head(collective_step step) const {
    collective_head made = head_;
    made.step = step & 0xffU;
    return made;
  }
  const std::source_location& where() const { return where_; }
  const char* name() const;

 private:
  [[noreturn, gnu::cold]] void fail_uncounted() const;
  [[gnu::cold]] void tell_begin();
  [[gnu::cold]] void tell_end() const;

  const team_part& team_;
  bool watched_ = false;  // somebody was told that it has begun
  collective_head head_;
  std::source_location where_;
};

// Where the elements of an awaited value shall lie, if who waits has a place for them. What is under way to it keeps
// its owner.
struct element_place {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<void> owner;
};

// Where packets of collectives arrive, and wait for the task that will ask for them or find it waiting.
class collective_box {
 public:
  // The value in a packet, or what is awaited, and what is said of it.
  struct described {
    collective_head head;
    pe_id from;  // who sends it
    const std::type_info* type;
    const std::type_info* called;  // the type of the program's value, of which this one may hold several
  };
  struct packet : described {
    explicit packet(const described& d) : described(d) {}
    virtual ~packet() = default;
    packet* next = nullptr;
    std::uint64_t number = 0;  // of those that came before it
  };
  template <class T>
  struct value_packet final : packet {
    value_packet(const described& d, T v) : packet(d), value(std::move(v)) {}
    T value;
  };
  struct waiter : described {
    explicit waiter(const described& d, element_place p = {}) : described(d), place(std::move(p)) {}
    waiter* next = nullptr;
    element_place place;
  };
  // A value whose elements are on their way, as a bulk, to where they lie in it, or to the place that waits for them.
  struct landing {
    explicit landing(const std::byte* b, std::shared_ptr<void> o = nullptr) : begin(b), owner(std::move(o)) {}
    virtual ~landing() = default;
    const std::byte* begin;
    std::shared_ptr<void> owner;
  };

  collective_box(pe_id me, pe_id count);
  ~collective_box();

  // Takes out the packet that `awaited` describes, or the waiter for a packet that `arrived` describes; null if there
  // is none. Where the two do not agree, the job ends.
  packet* find_packet(const described& awaited) { return packets_ != 0 ? take_packet(awaited) : nullptr; }
  waiter* find_waiter(const described& arrived) { return waiters_ != nullptr ? take_waiter(arrived) : nullptr; }
  void add_packet(packet* arrived);
  void add_waiter(waiter& w) {
    w.next = waiters_;
    waiters_ = &w;
  }
  void remove_waiter(waiter& w);

  // The place that a waiter has for that many bytes of what is arriving, or null.
  const element_place* place_for(const described& arriving, std::size_t bytes) const;
  void add_landing(detail::owned<landing> l);
  // The one whose elements have landed there.
  detail::owned<landing> take_landing(const std::byte* begin);

  // A line for each packet that nobody has asked for, oldest first; how many more there are than so many.
  std::vector<std::string> unasked(std::size_t most) const;
  // Ends the job if there is one.
  void check_none_unasked() const;
  // The root and the team of a waiter, where it has one and is not of the whole job; "" of what is no waiter.
  std::string describe(const void* awaited) const;

  team_table teams;
  // How many tasks wait until what they have lent has left: the PE is not idle then, for the news of that is no
  // message.
  int awaited_sends = 0;
  // Null: nobody wants to know.
  meeting_watcher* watcher = nullptr;
  // Calls, by the way they went.
  std::array<std::uint64_t, collective_algorithms> went{};

 private:
  packet* take_packet(const described& awaited);
  waiter* take_waiter(const described& arrived);
  [[noreturn]] void fail_mixed(const described& theirs, const described& mine) const;

  packet*& chain_of(const described& d);
  void lengthen();

  // A PE that is late finds packets of many calls, so they lie in chains by what they are for: as many chains as
  // packets, or more, a power of two of them.
  std::vector<packet*> chains_ = std::vector<packet*>(16);
  std::size_t packets_ = 0;
  std::uint64_t packets_so_far_ = 0;
  waiter* waiters_ = nullptr;
  std::vector<detail::owned<landing>> landings_;
};

inline void count_algorithm(collective_algorithm way) {
  ++current_pe->collectives->went[static_cast<std::size_t>(way)];
}

// `co_await collective_receive<T>(call, step, from)`, a rank: whoever waits is reported with the line of its call. What
// travels is a T, of a collective that the program has called with a Called.
template <class T, class Called = T>
class collective_receive : public collective_box::waiter {
 public:
  collective_receive(const collective_call& call, collective_step step, pe_id from_rank,
                     element_place place_of_elements = {})
      : waiter({call.head(step), call.pe(from_rank), &typeid(T), &typeid(Called)}, std::move(place_of_elements)),
        where_(call.where()),
        cell_(call.name(), static_cast<waiter*>(this)) {
    auto& box = *current_pe->collectives;
    if (auto* found = static_cast<collective_box::value_packet<T>*>(box.find_packet(*this))) {
      cell_.set_value(std::move(found->value));
      delete found;
    } else {
      box.add_waiter(*this);
    }
  }
  collective_receive(const collective_receive&) = delete;
  collective_receive& operator=(const collective_receive&) = delete;
  ~collective_receive() {
    if (!cell_.ready()) current_pe->collectives->remove_waiter(*this);
  }
  void set(T value) { cell_.set_value(std::move(value)); }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task) { cell_.suspend(task, where_); }
  T await_resume() { return cell_.await_resume(); }

 private:
  std::source_location where_;
  oneshot<T> cell_;
};

}  // namespace tsubu::remote
