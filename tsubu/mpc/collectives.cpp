#include "tsubu/mpc/collectives.hpp"

#include "tsubu/mpc/message.hpp"
#include "tsubu/mpc/state.hpp"

namespace tsubu::mpc {
namespace collective {
namespace {

struct part_message {
  struct control {
    std::uint32_t call;
    std::uint32_t step;
  };
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    my_state().parts[static_cast<std::size_t>(from)].write({c.call, c.step, {data.begin(), data.end()}});
  }
};

}  // namespace

round_trip::round_trip() {
  state& s = my_state();
  require(!s.in_collective, "two threads of one node are in a barrier or reduction at a time");
  s.in_collective = true;
  call_ = ++s.collective_calls;
  ++s.counted.collectives;
}

round_trip::~round_trip() { my_state().in_collective = false; }

void round_trip::send(int node, std::uint32_t step, std::span<const std::byte> data) {
  post<part_message>(node, {call_, step}, std::vector<std::byte>(data.begin(), data.end()));
  // Its receiver waits for it, and this node may compute for long before it waits for anything.
  message::this_endpoint->flush(message::flush_reason::idle);
}

std::vector<std::byte> round_trip::receive(int node, std::uint32_t step, std::size_t bytes,
                                           std::source_location where) {
  // In order between two nodes, so the next part from there is the one meant.
  collective_part part = wait(my_state().parts[static_cast<std::size_t>(node)].read(), where);
  require(part.call == call_ && part.step == step && part.payload.size() == bytes,
          "nodes {} and {} are in different collectives, or with values of different size, as their number {}", node,
          myNode, call_);
  return std::move(part.payload);
}

}  // namespace collective

namespace {

using namespace collective;

// Counts of the writes to nodes `first` to `last`, and to those that these stand in for.
class write_counts {
 public:
  write_counts(std::vector<std::uint32_t> by_node, int whole) : counts_(std::move(by_node)), whole_(whole) {}

  std::vector<std::uint32_t> of(int first, int last) const {
    std::vector<std::uint32_t> part;
    each(first, last, [&](std::size_t node) { part.push_back(counts_[node]); });
    return part;
  }
  void add(int first, int last, const std::vector<std::uint32_t>& theirs) {
    std::size_t i = 0;
    each(first, last, [&](std::size_t node) { counts_[node] += theirs[i++]; });
  }
  std::size_t size(int first, int last) const {
    std::size_t n = 0;
    each(first, last, [&](std::size_t) { ++n; });
    return n;
  }
  std::uint32_t operator[](int node) const { return counts_[static_cast<std::size_t>(node)]; }

 private:
  template <class F>
  void each(int first, int last, F f) const {
    for (int node = first; node < last; ++node) {
      f(static_cast<std::size_t>(node));
      const auto lent = static_cast<std::size_t>(node + whole_);
      if (lent < counts_.size()) f(lent);
    }
  }
  std::vector<std::uint32_t> counts_;
  int whole_;
};

// How many writes all nodes have sent to this one.
std::uint32_t writes_to_me(std::vector<std::uint32_t> sent, std::source_location where) {
  round_trip trip;
  const int me = myNode, p = numNode, whole = power_below(p);
  auto send = [&](int node, std::uint32_t step, const std::vector<std::uint32_t>& counts) {
    trip.send(node, step, std::as_bytes(std::span(counts)));
  };
  auto receive = [&](int node, std::uint32_t step, std::size_t n) {
    std::vector<std::uint32_t> counts(n);
    load_all(counts, trip.receive(node, step, n * sizeof(std::uint32_t), where));
    return counts;
  };
  write_counts counts(std::move(sent), whole);
  if (me >= whole) {
    send(me - whole, fold_in, counts.of(0, whole));
    return receive(me - whole, fold_out, 1)[0];
  }
  if (me + whole < p) counts.add(0, whole, receive(me + whole, fold_in, counts.size(0, whole)));
  int first = 0;  // counts [first, first + 2 distance) are this node's to add up
  std::uint32_t round = 0;
  for (int distance = whole / 2; distance > 0; distance /= 2, ++round) {
    const int partner = me ^ distance;
    const int theirs = (me & distance) != 0 ? first : first + distance;
    first += me & distance;
    send(partner, round, counts.of(theirs, theirs + distance));
    counts.add(first, first + distance, receive(partner, round, counts.size(first, first + distance)));
  }
  if (me + whole < p) send(me + whole, fold_out, {counts[me + whole]});
  return counts[me];
}

}  // namespace

void Barrier::exec(std::source_location where) {
  write_epochs& writes = my_state().writes;
  std::vector<std::uint32_t> sent(writes.sent.size());
  sent.swap(writes.sent);
  ++writes.entered;
  const std::uint32_t expected = writes_to_me(std::move(sent), where);
  std::uint32_t& executed = writes.executed[writes.left % write_epochs::kept];
  require(executed <= expected, "more writes arrived before a barrier than were sent");
  if (executed != expected) {
    write_epochs::wait rest{expected};
    writes.waiting = &rest;
    wait(rest.all_executed, where);
    writes.waiting = nullptr;
  }
  executed = 0;
  ++writes.left;
}

}  // namespace tsubu::mpc
