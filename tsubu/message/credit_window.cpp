#include "tsubu/message/credit_window.hpp"

#include "tsubu/message/held_arrivals.hpp"
#include "tsubu/message/loopback_queue.hpp"
#include "tsubu/message/overflow.hpp"

namespace tsubu::message {
namespace {

// What is being filled and on the way takes no more than half of the memory. A machine that sends each packet by itself
// has its own ways to hold a sender back.
int limit_of(const transport::transport& below, int links, std::size_t memory_bytes) {
  if (below.each_packet_alone()) return 1 << 30;
  const std::size_t fit = memory_bytes / 2 / (below.batch_bytes() * static_cast<std::size_t>(links));
  const int usual = credit_window::batches_for(below.batch_bytes(), links);
  return static_cast<int>(std::clamp<std::size_t>(fit, 3, static_cast<std::size_t>(usual) + 1)) - 1;
}

// The limit less what may be on the way and being filled.
std::size_t waiting_in_memory(std::size_t memory_bytes, std::size_t batch_bytes, int links, int limit) {
  return memory_bytes - std::min(memory_bytes / 2,
                                 static_cast<std::size_t>(links) * batch_bytes * static_cast<std::size_t>(limit + 1));
}

}  // namespace

credit_window::credit_window(transport::transport& below, const limits& most)
    : transport_(below),
      links_(below),
      limit_(limit_of(below, links_.size(), most.memory_bytes)),
      waiting_bytes_(waiting_in_memory(most.memory_bytes, below.batch_bytes(), links_.size(), limit_)),
      spill_bytes_(most.spill_bytes),
      much_kept_(most.memory_bytes / 8),
      held_(links_.routed() ? std::make_unique<held_arrivals>(below) : nullptr),
      credits_(std::make_unique<credit[]>(static_cast<std::size_t>(links_.size()))),
      ask_at_(much_kept_),
      loopback_(std::make_unique<loopback_queue>()) {}

credit_window::~credit_window() = default;

overflow& credit_window::made_overflow() {
  if (overflow_ == nullptr) overflow_ = std::make_unique<overflow>(transport_, links_, waiting_bytes_, spill_bytes_);
  return *overflow_;
}

int credit_window::on_the_way(int link) const {
  return link == links_.own() ? loopback_->size() : transport_.on_the_way(links_.pe_at(link));
}

void credit_window::post_now(int link, transport::batch* b, const transport::bulk_source& source) {
  int now_on_the_way = 0;
  if (link == links_.own()) {
    loopback_->push(b, source);
    now_on_the_way = loopback_->size();
  } else {
    const pe_id to = links_.pe_at(link);
    now_on_the_way = source.bytes.empty() ? transport_.post(b, to) : transport_.post_bulk(b, to, source);
  }
  posted_in_turn_ = true;
  credit& c = credits_[static_cast<std::uint32_t>(link)];
  if (now_on_the_way >= limit_) c.full = true;
  if (c.left_since_spent < most_overtaking) ++c.left_since_spent;
  spend(link);
}

void credit_window::spend(int link) {
  credit& c = credits_[static_cast<std::uint32_t>(link)];
  if (c.spent) return;
  c.spent = true;
  c.left_since_spent = 0;
  spent_.push_back(link);
}

void credit_window::hold_own_senders(bool yes) {
  holds_own_senders_ = yes;
  if (yes) spend(links_.own());
}

bool credit_window::regain_all() {
  for (std::size_t i = spent_.size(); i-- > 0;) regain(spent_[i]);
  return spent_.empty();
}

bool credit_window::is_open(int link) const {
  const credit& c = credits_[static_cast<std::uint32_t>(link)];
  if (c.holds || (holds_own_senders_ && link == links_.own())) return false;
  return !c.full || on_the_way(link) < limit_ / 2;
}

bool credit_window::regain(int link) {
  if (posted_in_turn_ || !is_open(link)) return false;
  credit& c = credits_[static_cast<std::uint32_t>(link)];
  c.full = c.spent = false;
  std::erase(spent_, link);
  return true;
}

bool credit_window::is_overtaken(int link) const {
  if (holds_own_senders_ && link == links_.own()) return false;
  return credits_[static_cast<std::uint32_t>(link)].left_since_spent >= most_overtaking;
}

bool credit_window::takes_turn(int link) {
  if (!is_overtaken(link)) return false;
  credits_[static_cast<std::uint32_t>(link)].left_since_spent = 0;
  return true;
}

bool credit_window::take_turn_everywhere() {
  bool any = false;
  for (const int link : spent_) {
    any |= is_overtaken(link);
    if (!is_overtaken(link) && !is_open(link)) return false;
  }
  for (const int link : spent_) takes_turn(link);
  return any;
}

void credit_window::hold_back(int link, transport::batch* b, const transport::bulk_source& source) {
  overflow& waiting = made_overflow();
  credits_[static_cast<std::uint32_t>(link)].holds = true;
  holds_any_ = true;
  posted_in_turn_ = true;
  held_arrivals::held* const holds = held_ != nullptr ? held_->hold() : nullptr;
  waiting.push(link, {b, source, holds}, held_ != nullptr ? held_->kept_bytes() : 0);
}

void credit_window::send_held_back() {
  // From the back: a link that nothing waits for any more leaves the list.
  for (std::size_t i = overflow_->links().size(); i-- > 0;) {
    const int link = overflow_->links()[i];
    // No more than fit at once: what is released meanwhile comes back to this PE's memory only when it polls.
    for (int n = 0; n < limit_ && overflow_->has(link) && on_the_way(link) < limit_; ++n) {
      const overflow::item first = overflow_->pop(link);
      post_now(link, first.batch, first.source);
      if (first.holds != nullptr) held_->let_go(*first.holds);
    }
    credits_[static_cast<std::uint32_t>(link)].holds = overflow_->has(link);
  }
  holds_any_ = !overflow_->empty();
}

transport::bulk_source credit_window::keep(std::vector<std::byte> bytes) {
  overflow& keeper = made_overflow();
  if (keeper.kept_bytes() > ask_at_) [[unlikely]] {
    transport_.hear_of_bulks();
    ask_at_ = keeper.kept_bytes() + much_kept_;
  }
  return keeper.keep(std::move(bytes));
}

std::uint64_t credit_window::under_way() const {
  auto batches = static_cast<std::uint64_t>(loopback_->size());
  for (int link = 0; link < links_.size(); ++link) {
    const pe_id to = links_.pe_at(link);
    if (to != links_.pe() && to < links_.pe_count()) {
      batches += static_cast<std::uint64_t>(transport_.on_the_way(to));
    }
  }
  return batches + (overflow_ != nullptr ? overflow_->links().size() : 0);
}

std::size_t credit_window::peak_bytes() const {
  const std::size_t allocated = transport_.bytes_allocated();
  return overflow_ != nullptr ? std::max(overflow_->peak_bytes(), allocated) : allocated;
}

}  // namespace tsubu::message
