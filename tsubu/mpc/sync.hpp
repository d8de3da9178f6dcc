// Sync<T>: a first-in first-out buffer for many readers and writers, and where results of ainvoke go.
//
//   Sync<int> s;
//   ainvoke(s, 1, foo, 1, 2);     // foo(1, 2) on node 1; goes on at once
//   int i = s.read();             // blocks this thread until the result is here
//
// A Sync may be destroyed before all results have come; those are dropped when they do.
#pragma once

#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>
#include <variant>

#include "tsubu/base/pool.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/sync.hpp"

namespace tsubu::mpc {

// The replies of the node that runs this, see remote/messages/reply.hpp.
remote::reply_address open_reply(remote::reply_sink& sink, const char* type, pe_id asked,
                                 const wire::handler_entry& of);
// After the job has ended: nothing.
void abandon_reply(remote::reply_address slot);
remote::reply_sink* take_reply(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type);

// A result on its way to a Sync, in the circle of those of that Sync.
class awaited_result {
 public:
  awaited_result() : before_(this), after_(this) {}
  explicit awaited_result(awaited_result& circle) : before_(&circle), after_(circle.after_) {
    after_->before_ = this;
    circle.after_ = this;
  }
  awaited_result(const awaited_result&) = delete;
  awaited_result& operator=(const awaited_result&) = delete;
  ~awaited_result() {
    before_->after_ = after_;
    after_->before_ = before_;
  }
  awaited_result* after() const { return after_; }

  remote::reply_address slot{};

 private:
  awaited_result* before_;
  awaited_result* after_;
};

// A buffer for values, and for results that will come.
// Local; read() and peek() block the thread while it is empty, write() never; read() and peek() throw remote_error
// in place of the result of a function that threw.
template <class T>
class Sync {
  using item = std::variant<T, std::exception_ptr>;

 public:
  Sync() : box_() {}
  Sync(const Sync&) = delete;
  Sync& operator=(const Sync&) = delete;
  ~Sync() {
    while (results_.after() != &results_) {
      auto* unwanted = static_cast<result*>(results_.after());
      abandon_reply(unwanted->slot);
      delete_pooled(unwanted);
    }
    // A thread that mpc_exit() abandoned may still stand in a Sync that outlives the job.
    if (readers_ == 0) box_.~sync();
  }

  // Appends a value. Never blocks.
  void write(const T& value) { box_.write(item(std::in_place_index<0>, value)); }

  // Removes the oldest value; blocks the thread while there is none. Throws remote_error in place of the result of a
  // remote function that threw.
  T read(std::source_location where = std::source_location::current()) {
    const reading mine(*this);
    return value_of(wait(box_.read(), where));
  }
  void read(T& to, std::source_location where = std::source_location::current()) { to = read(where); }

  // The oldest value, which stays; blocks while there is none.
  T peek(std::source_location where = std::source_location::current()) {
    const reading mine(*this);
    return value_of(wait(box_.peek(), where));
  }
  void peek(T& to, std::source_location where = std::source_location::current()) { to = peek(where); }

  // Values written and not yet read.
  int queueLength() const { return static_cast<int>(box_.size()); }

  // For a result that will come from `asked`: where it shall be sent. For ainvoke.
  remote::reply_address expect(pe_id asked, const wire::handler_entry& of) {
    auto* expected = new_pooled<result>(*this);
    expected->slot = open_reply(*expected, &remote::reply_type<T>, asked, of);
    return expected->slot;
  }

 private:
  class result final : public remote::value_sink<T>, public awaited_result {
   public:
    explicit result(Sync& to) : awaited_result(to.results_), to_(to) {}

   private:
    void value(T v) override { arrive(item(std::in_place_index<0>, std::move(v))); }
    void error(std::exception_ptr e) override { arrive(item(std::in_place_index<1>, std::move(e))); }
    void arrive(item it) {
      to_.box_.write(std::move(it));
      delete_pooled(this);
    }
    Sync& to_;
  };

  // Counts the threads that are in read() or peek().
  class reading {
   public:
    explicit reading(Sync& of) : of_(of) { ++of_.readers_; }
    ~reading() { --of_.readers_; }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;

   private:
    Sync& of_;
  };

  static T value_of(item it) {
    if (it.index() == 1) std::rethrow_exception(std::get<1>(std::move(it)));
    return std::get<0>(std::move(it));
  }

  // Destroyed by hand.
  union {
    sync<item> box_;
  };
  int readers_ = 0;
  awaited_result results_;
};

}  // namespace tsubu::mpc
