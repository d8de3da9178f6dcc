// The replies to one connection, in the order of its requests, although some come from other PEs.
//
// What is kept of them is bounded, whatever their client does. Small ones are gathered; a large value of this PE is
// shared with the store; one of another PE stays there until its turn has come. What is asked of other PEs is asked
// within the PE's budget, and all of it has come before anything is written: so it never waits for the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/kv/clients.hpp"
#include "apps/kv/kept_replies.hpp"
#include "apps/kv/store.hpp"
#include "tsubu/outside/connection.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

class replies {
 public:
  // What a request to another PE takes beside its own bytes: with a short reply, or with one that may be a value.
  static constexpr std::size_t short_reply = 256;
  static constexpr std::size_t value_reply = 256 + store::large_bytes;

  explicit replies(client& of) : of_(of) {}
  replies(const replies&) = delete;
  replies& operator=(const replies&) = delete;
  ~replies() { nothing_is_on_the_way(); }

  // Where a reply that is known now is added.
  std::string& known() { return parts_.empty() ? text_ : parts_.back().behind; }

  // Before another PE is asked for something: whether there is room for so many bytes of request and reply.
  bool may_ask(std::size_t bytes) {
    if (!messages_of(bytes).take(bytes)) return false;
    note_asked(bytes);
    return true;
  }
  // The same, when there is.
  tsubu::task<void> wait_to_ask(std::size_t bytes);

  // Before so many bytes are added to known(), as soon as their client may hold them. Throws outside::error: it never
  // may.
  tsubu::task<void> wait_to_keep(std::size_t more, const tsubu::outside::connection& to);

  // A reply that another PE sends.
  void later(tsubu::pe_id pe, tsubu::future<pe_reply> reply) {
    begin_part();
    parts_.back().pe = pe;
    parts_.back().reply = std::move(reply);
    ++expected_;
  }

  // A large value of this PE.
  void value(std::shared_ptr<const std::string> shared);

  // A sum of what this PE knows and what others send; or, where `say` is not empty, that text when all have come.
  // Numbers are added while it is the last reply.
  void begin_sum(std::string say = "");
  void add(std::int64_t known_here) { parts_.back().sum += known_here; }
  void add(tsubu::future<std::int64_t> later) {
    parts_.back().others.push_back(std::move(later));
    ++expected_;
  }

  // So much was asked for that it is time to collect().
  bool much_is_asked() const { return expected_ >= most_expected || asked_bytes() >= most_asked_bytes; }
  // There is as much as shall be kept, or as there is room for: time to write().
  bool is_much() {
    of_.reply_bytes = bytes();
    if (!of_.hold()) return true;
    return text_.size() + earlier_bytes_ + behind_bytes() > most_bytes || parts_.size() >= most_expected ||
           much_is_asked();
  }

  // What is kept, or may come.
  std::size_t bytes() const { return text_.capacity() + earlier_bytes_ + behind_bytes() + asked_bytes() + come_bytes_; }

  // Waits for all that other PEs were asked for.
  tsubu::task<void> collect();

  // Writes all of them, when they are there. Throws outside::error.
  tsubu::task<void> write(const tsubu::outside::connection& to);

 private:
  static constexpr std::size_t most_bytes = std::size_t{256} << 10;
  static constexpr std::size_t most_asked_bytes = std::size_t{2} << 20;
  static constexpr std::size_t most_expected = 256;

  struct part {
    tsubu::future<pe_reply> reply;  // not valid: it has come, or is a sum
    tsubu::pe_id pe = 0;            // that sends it
    std::vector<tsubu::future<std::int64_t>> others;
    std::int64_t sum = 0;
    bool is_number = false;                     // the sum is the reply
    std::string text;                           // what has come, or is to be said in place of the sum
    std::shared_ptr<const std::string> shared;  // behind that: a value of this PE, or what another one keeps
    kept_reply kept;
    bool is_bulk = false;  // shared or kept
    std::string behind;    // known replies to the requests behind it
  };
  void begin_part() {
    earlier_bytes_ += behind_bytes();
    parts_.emplace_back();
  }
  void note_asked(std::size_t bytes) { (bytes <= longest_short_message ? short_asked_ : long_asked_) += bytes; }
  std::size_t asked_bytes() const { return short_asked_ + long_asked_; }
  void nothing_is_on_the_way();
  std::size_t behind_bytes() const { return parts_.empty() ? 0 : parts_.back().behind.size(); }
  tsubu::task<void> write_long(part& which, const tsubu::outside::connection& to);

  client& of_;
  std::string text_;
  std::deque<part> parts_;
  std::size_t earlier_bytes_ = 0;  // known replies behind all parts but the last
  std::size_t expected_ = 0;       // messages of other PEs
  std::size_t short_asked_ = 0;    // on the way, of short messages
  std::size_t long_asked_ = 0;     // and of long ones
  std::size_t come_bytes_ = 0;     // text of the parts
};

}  // namespace kv
