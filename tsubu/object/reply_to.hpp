// The obligation to reply, as a value: it may be kept, handed on, and fulfilled later, by anybody.
//
//   struct barrier_of : object<barrier_of> {
//     std::vector<reply_to<int>> waiting;
//     void arrive(reply_to<int> to) {                 // asked as `co_await b.now<&barrier_of::arrive>()`
//       waiting.push_back(std::move(to));
//       if (waiting.size() == 3) for (auto& w : waiting) w.reply(3);
//     }
//   };
//
// (First-class reply destinations are ABCL/1's: Yonezawa 1990.)
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "tsubu/object/message.hpp"

namespace tsubu {

// Why there is no answer: whoever had the obligation to reply dropped it. The asker gets it as it gets what a method
// throws (remote/messages/remote_error.hpp), so it is a remote_error, too, whose pe() is where the obligation was
// dropped.
class broken_duty : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  broken_duty(const std::string& what, std::string asked) : std::runtime_error(what), asked_(std::move(asked)) {}

  // Who was asked, "counter 0.0 on PE 1, counter::get"; of a future, the method only, or "" on the object's own PE.
  const std::string& asked() const { return asked_; }

  // Beside the text, on the way to another PE.
  template <class A>
  void serialize(A& a) {
    a(asked_);
  }

 private:
  std::string asked_;
};

// What a now or future sender gets whose object has ended, or could not be made.
class object_gone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  object_gone(const std::string& what, std::string object, std::string method)
      : std::runtime_error(what), object_(std::move(object)), method_(std::move(method)) {}

  const std::string& object() const { return object_; }  // "counter 0.0 on PE 1"
  const std::string& method() const { return method_; }  // for which it was asked: "counter::get"

  // Beside the text, on the way to another PE.
  template <class A>
  void serialize(A& a) {
    a(object_, method_);
  }

 private:
  std::string object_;
  std::string method_;
};

template <class R>
class reply_to;

namespace objects {

// A reply_to on its way: its bytes.
template <class R>
struct sent_reply {
  remote::reply_address to;
};

// The obligation is broken: the asker is told.
void break_duty(const destination& to);
[[noreturn, gnu::cold]] void replied_twice();

}  // namespace objects

// Move-only. One made by default, moved from or fulfilled is empty. Destroyed with its obligation unfulfilled it tells
// the asker, who gets broken_duty. One of a past message has no asker: its reply is dropped.
// Local; does not block; an empty one that replies ends the job.
template <class R>
class [[nodiscard]] reply_to {
 public:
  using value_type = R;

  reply_to() = default;
  reply_to(reply_to&& other) noexcept
      : to_(std::exchange(other.to_, objects::destination())), mine_(std::exchange(other.mine_, false)) {}
  reply_to& operator=(reply_to&& other) noexcept {
    if (this != &other) {
      drop();
      to_ = std::exchange(other.to_, objects::destination());
      mine_ = std::exchange(other.mine_, false);
    }
    return *this;
  }
  ~reply_to() { drop(); }

  // Has it an obligation?
  explicit operator bool() const { return mine_; }
  // Does anybody wait for the answer?
  bool wanted() const { return mine_ && to_.wanted(); }

  // Once. Ends the job if it is empty.
  template <class V = R>
    requires(!std::is_void_v<R> && std::is_convertible_v<V, R>)
  void reply(V&& value) {
    const objects::destination to = take();
    if (to.wanted()) to.value<R>(static_cast<R>(std::forward<V>(value)));
  }
  void reply()
    requires(std::is_void_v<R>)
  {
    const objects::destination to = take();
    if (to.wanted()) to.value<void>(remote::done{});
  }
  // The asker gets this as it gets what a method throws.
  void fail(const std::exception_ptr& error) {
    const objects::destination to = take();
    if (!to.wanted()) return;
    try {
      std::rethrow_exception(error);
    } catch (...) {
      to.error();
    }
  }

  // ---- the runtime's
  explicit reply_to(const objects::destination& to) : to_(to), mine_(true) {}
  explicit reply_to(objects::sent_reply<R> s) : mine_(true) {
    objects::check_asker(s.to.pe);
    if (s.to.pe != no_pe) to_ = objects::destination(s.to);
  }
  objects::destination take() {
    if (!mine_) objects::replied_twice();
    mine_ = false;
    return std::exchange(to_, objects::destination());
  }
  objects::sent_reply<R> send() {
    objects::destination to = take();
    return {to.wanted() ? to.address<R>() : remote::reply_address{no_pe, 0, 0}};
  }

 private:
  void drop() noexcept {
    if (mine_ && to_.wanted()) objects::break_duty(to_);
    mine_ = false;
  }

  objects::destination to_;
  bool mine_ = false;
};

// What a plain method returns that answers itself, or lets another object answer for it:
//
//   delegated<long> count(long n) {
//     if (n <= 1) return 1L;
//     return next.now<&counter::count>(n - 1);   // forwarded, with the asker's reply destination; no frame is kept
//   }
// Local; does not block; throws nothing.
template <class R>
class [[nodiscard]] delegated {
 public:
  template <class V>
    requires std::is_convertible_v<V, R>
  delegated(V&& value) : value_(std::forward<V>(value)) {}  // NOLINT(google-explicit-constructor): to be returned
  template <class Request>
    requires requires(Request r) { r.delegate(); } && std::is_same_v<typename Request::value_type, R>
  delegated(Request&& asked) {  // NOLINT(google-explicit-constructor): to be returned
    asked.delegate();
  }
  // The runtime's: null if another answers.
  std::optional<R>& value() { return value_; }
  // The runtime's.
  bool answered() const { return value_.has_value(); }

 private:
  std::optional<R> value_;
};

// For a method without a result.
template <>
class [[nodiscard]] delegated<void> {
 public:
  delegated() : answered_(true) {}
  template <class Request>
    requires requires(Request r) { r.delegate(); } && std::is_void_v<typename Request::value_type>
  delegated(Request&& asked) {  // NOLINT(google-explicit-constructor): to be returned
    asked.delegate();
  }
  // The runtime's.
  bool answered() const { return answered_; }

 private:
  bool answered_ = false;
};

}  // namespace tsubu
