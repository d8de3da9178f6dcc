// A first-in first-out buffer between tasks of a PE: MTTL's Sync.
//
//   sync<int> box;
//   box.write(7);                     // never waits
//   int n = co_await box.read();      // removes the head; waits while it is empty
//   int m = co_await box.peek();      // waits for the head and copies it, without removing it
//
// Any number of tasks may write and read. Values come out in the order in which they were written;
// waiting tasks are served in the order in which they began to wait. A task that waits keeps its turn:
// a value that arrives for it cannot be taken by a later try_read().
//
// (A program that says `using namespace tsubu` writes tsubu::sync, since <unistd.h> has a sync() too.)
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu {

// Local; read() and peek() block while it is empty, write() and try_read() never; one that is destroyed while tasks
// wait for it ends the job.
template <class T>
class sync {
  struct node {
    explicit node(T&& v) : value(std::move(v)) {}
    T value;
    node* next = nullptr;
  };

  struct reader : wait_record {
    reader(const char* what_for, const void* which, bool peeks) : wait_record(what_for, which), peek(peeks) {}
    bool peek;
    reader* next_reader = nullptr;
    std::optional<T> value;
  };

 public:
  sync() = default;
  sync(const sync&) = delete;
  sync& operator=(const sync&) = delete;
  ~sync() {
    require(first_reader_ == nullptr, "a sync is destroyed while tasks wait for it");
    while (head_ != nullptr) pop();
  }

  // Appends a value, or hands it to the tasks that wait for it. Local, never waits.
  void write(T value) {
    while (first_reader_ != nullptr) {
      reader& served = *first_reader_;
      leave(served, nullptr);
      if (!served.peek) {
        served.value.emplace(std::move(value));
        served.wake();
        return;
      }
      if constexpr (std::is_copy_constructible_v<T>) served.value.emplace(value);
      served.wake();
    }
    node* last = new_pooled<node>(std::move(value));
    (tail_ != nullptr ? tail_->next : head_) = last;
    tail_ = last;
    ++size_;
  }

  class [[nodiscard]] awaiter {
   public:
    awaiter(sync& from, bool peek) : awaiter(from, peek, peek ? "sync, to peek" : "sync", &from) {}
    // `what` and `object` are shown while a task waits: text that outlives the wait, and which one.
    awaiter(sync& from, bool peek, const char* what, const void* object) : from_(from), reader_(what, object, peek) {}
    awaiter(const awaiter&) = delete;
    awaiter& operator=(const awaiter&) = delete;
    ~awaiter() {
      if (reader_.waiting()) from_.forget(reader_);
    }

    bool await_ready() {
      if (from_.head_ == nullptr) return false;
      if (!reader_.peek)
        reader_.value.emplace(from_.pop());
      else if constexpr (std::is_copy_constructible_v<T>)
        reader_.value.emplace(from_.head_->value);
      return true;
    }
    void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
      suspend(task, where);
    }
    void suspend(ready_item who, std::source_location where) {
      reader_.suspend(who, where);
      from_.enter(reader_);
    }
    T await_resume() { return std::move(*reader_.value); }

   private:
    sync& from_;
    reader reader_;
  };

  // Awaited: removes the head; waits while there is none.
  awaiter read() { return awaiter(*this, false); }
  // Awaited: a copy of the head, which stays; waits while there is none.
  awaiter peek()
    requires std::is_copy_constructible_v<T>
  {
    return awaiter(*this, true);
  }

  // Takes the head if there is one.
  std::optional<T> try_read() {
    if (head_ == nullptr) return std::nullopt;
    return pop();
  }

  // Values written and not yet read.
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  T pop() {
    node* first = head_;
    head_ = first->next;
    if (head_ == nullptr) tail_ = nullptr;
    --size_;
    struct owner {
      node* of;
      ~owner() { delete_pooled(of); }
    } const guard{first};
    return std::move(first->value);
  }

  void enter(reader& waiting) {
    (last_reader_ != nullptr ? last_reader_->next_reader : first_reader_) = &waiting;
    last_reader_ = &waiting;
  }
  void leave(reader& waiting, reader* before) {
    (before != nullptr ? before->next_reader : first_reader_) = waiting.next_reader;
    if (last_reader_ == &waiting) last_reader_ = before;
  }
  void forget(reader& waiting) {
    reader* before = nullptr;
    for (reader* at = first_reader_; at != nullptr; before = at, at = at->next_reader)
      if (at == &waiting) return leave(waiting, before);
  }

  // Either there are values, or there may be readers: never both.
  node* head_ = nullptr;
  node* tail_ = nullptr;
  reader* first_reader_ = nullptr;
  reader* last_reader_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tsubu
