// Row A29 of the ABCL/EM-4 paper, both sides: messages that wait in boxes of a free list, and in a circular buffer.
//   boxes     the sender is given a box first, and writes the words there. A message stays in it until it is executed.
//   circular  as the J-Machine's: words land behind those that came before, and only the message in front is seen. One
//             that cannot be executed yet must leave, or what it waits for is never seen: it is copied out.
// Thirty messages are taken in the order of arrival, from the last to the first, and in order with one that waits for
// an answer. Copied is what lies elsewhere when it is executed than when it came.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/acceptance/rows.hpp"

using namespace tsubu;

namespace {

constexpr int messages = 30;
constexpr int words = 4;  // of a message: its number, and three that follow from it
constexpr int none = -1;

std::array<int, words> text_of(int number) { return {number, 3 * number, 3 * number + 1, 3 * number + 2}; }

// What the receiving object does with the messages.
struct discipline {
  bool backwards = false;  // the last is taken first
  int asks = none;         // this one waits for an answer, which is sent behind all messages
};

// ---- the two buffers

class boxes {
 public:
  static constexpr const char* name = "boxes of a free list";

  int reserve() {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(boxes_.size()));
      boxes_.emplace_back();
    }
    const int box = free_.back();
    free_.pop_back();
    return box;
  }
  void write(int box, int word, int value) { boxes_[at(box)][at(word)] = value; }

  std::span<const int> words_of(int box) const { return boxes_[at(box)]; }
  int keep(int box) { return box; }
  void leave(int box) { free_.push_back(box); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::deque<std::array<int, words>> boxes_;  // they stay where they are while more come
  std::vector<int> free_;
};

class circular {
 public:
  static constexpr const char* name = "a circular buffer";

  // The message that has come is in front: what was before it has left.
  int land(const std::array<int, words>& message) {
    for (const int word : message) {
      ring_[tail_] = word;
      tail_ = (tail_ + 1) % ring_.size();
    }
    return front;
  }

  std::span<const int> words_of(int message) const {
    return message == front ? std::span(ring_).subspan(head_, words) : std::span(copies_[at(message)]);
  }
  int keep(int message) {
    if (message != front) return message;
    const auto lies = words_of(front);
    copies_.emplace_back(lies.begin(), lies.end());
    leave(front);
    return static_cast<int>(copies_.size()) - 1;
  }
  void leave(int message) {
    if (message == front) head_ = (head_ + words) % ring_.size();
  }

 private:
  static constexpr int front = none;
  static std::size_t at(int copy) { return static_cast<std::size_t>(copy); }

  std::array<int, std::size_t{words} * 8> ring_{};  // a multiple of a message, so that none is split
  std::size_t head_ = 0, tail_ = 0;
  std::deque<std::vector<int>> copies_;
};

// ---- the object that receives

pe_local<tsubu::sync<int>> questions;  // at PE 0: the numbers of the messages that ask
void ask(int number) { questions->write(number); }

// Executes what its discipline lets it, and keeps the rest.
template <class Buffer>
class receiver {
 public:
  void begin(discipline d) {
    *this = {};
    discipline_ = d;
    if (d.backwards) wanted_ = messages - 1;
  }
  Buffer& buffer() { return buffer_; }

  void arrives(int message) {
    const auto w = buffer_.words_of(message);
    came_to_[static_cast<std::size_t>(w[0])] = w.data();
    if (can_execute(message)) {
      execute(message);
    } else {
      waiting_.push_back(buffer_.keep(message));
    }
  }
  // The answer has come: the message that waited for it needs its words again.
  void goes_on() {
    waits_ = false;
    finish(std::exchange(suspended_, none));
  }

  // Messages copied. Ends the job unless all have been executed, in their order, with the words that were sent.
  int copied() const {
    require(waiting_.empty() && static_cast<int>(order_.size()) == messages, "all are executed");
    for (int i = 0; i < messages; ++i) {
      require(order_[static_cast<std::size_t>(i)] == (discipline_.backwards ? messages - 1 - i : i), "in order");
    }
    return copied_;
  }

 private:
  bool can_execute(int message) const {
    return !waits_ && (wanted_ == none || buffer_.words_of(message)[0] == wanted_);
  }
  void execute(int message) {
    if (buffer_.words_of(message)[0] != discipline_.asks) return finish(message);
    waits_ = true;
    suspended_ = buffer_.keep(message);
    at(0).past<ask>(discipline_.asks);
  }
  void finish(int message) {
    const auto w = buffer_.words_of(message);
    require(std::ranges::equal(w, text_of(w[0])), "the words are those that were sent");
    order_.push_back(w[0]);
    if (w.data() != came_to_[static_cast<std::size_t>(w[0])]) ++copied_;
    buffer_.leave(message);
    if (wanted_ != none) --wanted_;
    for (auto i = waiting_.begin(); i != waiting_.end(); ++i) {
      if (!can_execute(*i)) continue;
      const int next = *i;
      waiting_.erase(i);
      return execute(next);
    }
  }

  discipline discipline_;
  Buffer buffer_;
  std::array<const int*, messages> came_to_{};  // by number: where its words lay then
  int copied_ = 0;
  std::deque<int> waiting_;
  std::vector<int> order_;
  int wanted_ = none;
  bool waits_ = false;
  int suspended_ = none;
};

template <class Buffer>
pe_local<receiver<Buffer>> object_here;

template <class Buffer>
void begin(bool backwards, int asks) {
  object_here<Buffer>->begin({backwards, asks});
}
template <class Buffer>
void go_on() {
  object_here<Buffer>->goes_on();
}
template <class Buffer>
int copied() {
  return object_here<Buffer>->copied();
}

// ---- sending

int reserve() { return object_here<boxes>->buffer().reserve(); }
void put_word(int box, int word, int value) { object_here<boxes>->buffer().write(box, word, value); }
void deliver(int box) { object_here<boxes>->arrives(box); }
void land(std::array<int, words> message) {
  auto& object = *object_here<circular>;
  object.arrives(object.buffer().land(message));
}

task<void> send_message(boxes, int number, int to) {
  const int box = co_await at(to).now<reserve>();
  for (int w = 0; w < words; ++w) at(to).past<put_word>(box, w, text_of(number)[static_cast<std::size_t>(w)]);
  at(to).past<deliver>(box);
}
task<void> send_message(circular, int number, int to) {
  at(to).past<land>(text_of(number));
  co_return;
}

template <class Buffer>
task<int> copies_of(discipline d) {
  const int to = pe_count() - 1;
  co_await at(to).now<begin<Buffer>>(d.backwards, d.asks);
  for (int i = 0; i < messages; ++i) co_await send_message(Buffer{}, i, to);
  if (d.asks != none) {
    co_await questions->read();
    at(to).past<go_on<Buffer>>();
  }
  co_return co_await at(to).now<copied<Buffer>>();
}

template <class Buffer>
task<void> rows(const std::string& paper, bool may_copy) {
  const int in_order = co_await copies_of<Buffer>({});
  const int backwards = co_await copies_of<Buffer>({.backwards = true});
  const int waits = co_await copies_of<Buffer>({.asks = 10});
  const bool ok = in_order == 0 && (backwards > 0) == may_copy && (waits > 0) == may_copy;
  acceptance::row("A29", std::string("of 30 messages in ") + Buffer::name + ", copied: in order; backwards; one waits",
                  paper, std::to_string(in_order) + ", " + std::to_string(backwards) + ", " + std::to_string(waits),
                  ok);
}

task<int> program(arguments) {
  co_await rows<boxes>("0, 0, 0", false);
  co_await rows<circular>("0, >= 1, >= 1", true);
  co_return acceptance::verdict();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
