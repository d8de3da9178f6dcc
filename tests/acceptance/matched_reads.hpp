// Two reads of other PEs' memory whose answers are matched: the task that waits goes on once, when both are there.
//
//   const auto [x, y] = co_await matched_reads(p, q);
//
// On EM-X the first answer is put away by hardware, in the memory word that the request's continuation names, and the
// second one starts the thread with both. Here the continuation is a reply's slot, and the word is in the task's frame.
#pragma once

#include <coroutine>
#include <exception>
#include <source_location>
#include <utility>

#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/segment_access.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/task/oneshot.hpp"

namespace acceptance {

template <class T>
struct matched_answer {
  using layout = tsubu::wire::layout<std::uint32_t, std::uint32_t, T>;
  static constexpr tsubu::message_kind kind = tsubu::message_kind::answer;
  static void call(const tsubu::message::delivery& d, std::uint32_t slot, std::uint32_t generation, T value) {
    auto* const to = static_cast<tsubu::remote::value_sink<T>*>(
        tsubu::remote::current_pe->replies.take(d.from, slot, generation, &tsubu::remote::reply_type<T>));
    if (to != nullptr) to->value(value);
  }
};

template <class T>
struct read_to_match {
  using layout = tsubu::wire::layout<tsubu::remote::reply_address, tsubu::remote::segment_id, std::uint64_t>;
  static constexpr tsubu::message_kind kind = tsubu::message_kind::read;
  static constexpr std::size_t words = 1;
  static void call(const tsubu::message::delivery& d, tsubu::remote::reply_address to, tsubu::remote::segment_id id,
                   std::uint64_t offset) {
    const auto value = tsubu::wire::load<T>(tsubu::remote::segment_at(id, offset, sizeof(T), d.from));
    tsubu::remote::send<matched_answer<T>>(to.pe, to.slot, to.generation, value);
  }
};

template <class T>
class [[nodiscard]] matched_reads {
 public:
  matched_reads(const tsubu::global_ptr<T>& a, const tsubu::global_ptr<T>& b) : halves_{{this, a}, {this, b}} {}
  matched_reads(const matched_reads&) = delete;
  matched_reads& operator=(const matched_reads&) = delete;

  bool await_ready() const { return both_.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    both_.suspend(task, where);
  }
  void suspend(tsubu::ready_item who, std::source_location where) { both_.suspend(who, where); }
  std::pair<T, T> await_resume() {
    both_.await_resume();
    return {halves_[0].came, halves_[1].came};
  }

 private:
  class half final : public tsubu::remote::value_sink<T> {
   public:
    half(matched_reads* of, const tsubu::global_ptr<T>& from) : of_(of) {
      const auto slot =
          tsubu::remote::open_slot<T>(*this, from.pe(), tsubu::message::registered<read_to_match<T>>::entry);
      tsubu::remote::send<read_to_match<T>>(from.pe(), slot, from.segment(), from.offset());
    }
    half(const half&) = delete;
    half& operator=(const half&) = delete;

    T came = 0;

   private:
    void value(T v) override {
      came = v;
      if (--of_->missing_ == 0) of_->both_.set_value();
    }
    void error(std::exception_ptr e) override { of_->both_.set_exception(std::move(e)); }

    matched_reads* of_;
  };

  tsubu::oneshot<void> both_{"two values of other PEs"};
  int missing_ = 2;
  half halves_[2];
};

}  // namespace acceptance
