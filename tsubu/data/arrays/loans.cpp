#include "tsubu/data/arrays/loans.hpp"

#include <algorithm>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/data/arrays/loan_packets.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::data {
namespace {

constexpr std::size_t words = block_store::block_bytes / sizeof(std::uint64_t);

// A block moves for whoever needs room next, not for the epoch of the code that runs.
template <class Packet, class... V>
void tell(pe_id to, const V&... values) {
  const task_group_scope none(nullptr);
  remote::send<Packet>(to, values...);
}

}  // namespace

loans::loans(block_store& store, pe_id me, pe_id pes) : store_(store), me_(me), pes_(pes), next_(me) {}

loans::~loans() = default;

bool loans::lend(block_store::block& b) {
  if (room_.size() <= 1) ask_for_room();
  if (room_.empty()) return false;
  auto& [pe, blocks] = room_.back();
  b.loan = ++last_number_;
  loans_.emplace(b.loan, loan{&b, pe, false, {}});
  contents bytes(words);
  std::memcpy(bytes.data(), b.memory.get(), block_store::block_bytes);
  tell<keep_block>(pe, b.loan, bytes);
  if (--blocks == 0) room_.pop_back();
  ++lent_;
  return true;
}

void loans::forget(block_store::block& b) {
  const auto found = loans_.find(b.loan);
  tell<forget_block>(found->second.at, b.loan);
  loans_.erase(found);
}

void loans::ask_for_room() {
  if (asks_ || pes_ == 1) return;
  if (pause_ != 0) {
    --pause_;
    return;
  }
  next_ = (next_ + 1) % pes_;
  if (next_ == me_) next_ = (next_ + 1) % pes_;
  asks_ = true;
  tell<ask_for_memory>(next_, most_asked_for);
}

void loans::granted(pe_id by, std::uint32_t blocks) {
  require(asks_ && by == next_ && blocks <= most_asked_for,
          "PE {} grants memory for {} blocks of shared arrays, and PE {} has not asked it for them", by, blocks, me_);
  asks_ = false;
  if (blocks != 0) {
    refusals_ = 0;
    room_.emplace_back(by, blocks);
  } else if (++refusals_ < pes_ - 1) {
    ask_for_room();
  } else {
    refusals_ = 0;
    pause_ = pause_after_refusals;
  }
}

void loans::fetch(block_store::block& b, key name) {
  loan& l = loans_.at(b.loan);
  l.waiting.push_back(name);
  if (l.asked_for) return;
  l.asked_for = true;
  tell<want_block>(l.at, b.loan);
}

void loans::no_room_at(pe_id pe) {
  std::erase_if(room_, [pe](const auto& room) { return room.first == pe; });
}

std::vector<key> loans::take_back(pe_id from, std::uint64_t number, bool has_room, const contents& bytes) {
  require(number != 0 && number <= last_number_ && bytes.size() == words,
          "PE {} sends back block {} of shared arrays, of {} words; PE {} has lent {}, of {} words", from, number,
          bytes.size(), me_, last_number_, words);
  if (has_room) {
    const auto room = std::ranges::find(room_, from, &std::pair<pe_id, std::uint32_t>::first);
    if (room != room_.end()) {
      ++room->second;
    } else {
      room_.emplace_back(from, 1);
    }
  } else {
    no_room_at(from);
  }
  const auto found = loans_.find(number);
  if (found == loans_.end()) return {};  // its array has ended meanwhile
  require(found->second.at == from, "PE {} sends back block {} of the shared arrays of PE {}, which PE {} has", from,
          number, me_, found->second.at);
  loan l = std::move(found->second);
  loans_.erase(found);
  ++fetched_;
  store_.take_back(*l.block, std::as_bytes(std::span(bytes)), l.asked_for);
  return std::move(l.waiting);
}

std::uint32_t loans::grant(std::uint32_t asked) const {
  return static_cast<std::uint32_t>(std::min<std::size_t>(asked, store_.room_for_guests() / 2));
}

void loans::receive(pe_id from, std::uint64_t number, contents&& bytes) {
  std::uint64_t& last = last_of_[from];
  require(number > last && bytes.size() == words,
          "PE {} lends PE {} block {} of shared arrays, of {} words, after block {}; a block has {} words", from, me_,
          number, bytes.size(), last, words);
  last = number;
  if (store_.room_for_guests() == 0) return tell<block_back>(from, number, false, bytes);
  guests_.push_back({from, number, std::move(bytes)});
  found_.emplace(name_of(from, number), std::prev(guests_.end()));
  store_.guest_comes();
  ++received_;
}

loans::guest_list::iterator loans::find_guest(pe_id of, std::uint64_t number) {
  const auto last = last_of_.find(of);
  require(last != last_of_.end() && number <= last->second,
          "PE {} asks PE {} for block {} of its shared arrays, which it has not sent", of, me_, number);
  const auto found = found_.find(name_of(of, number));
  return found != found_.end() ? found->second : guests_.end();
}

void loans::remove(guest_list::iterator g) {
  found_.erase(name_of(g->of, g->number));
  guests_.erase(g);
  store_.guest_leaves();
}

void loans::send_back(pe_id to, std::uint64_t number) {
  const auto g = find_guest(to, number);
  if (g == guests_.end()) return;  // it is on its way
  tell<block_back>(to, number, true, g->bytes);
  remove(g);
}

void loans::discard(pe_id of, std::uint64_t number) {
  const auto g = find_guest(of, number);
  if (g != guests_.end()) remove(g);
}

void loans::return_oldest_guest() {
  const auto g = guests_.begin();
  tell<block_back>(g->of, g->number, false, g->bytes);
  remove(g);
}

}  // namespace tsubu::data
