// Rows A9, A14, A15, A28, A29 of the ABCL/EM-4 paper: what messages between objects are made of.
//   A15, A29  messages that wait for their object: each lies in a box of a free list, the last one freed is used first,
//   and
//             stays there until it is executed, whatever the order. (Ours have the size of their message.) A guard of
//             accept() is shown the arguments where they lie, so it can tell.
//   packets, nested, writes: programs for the simulated EM-4, of which tests/papers judges the packets and the time:
//     A9   past messages of 1 to 8 words, a question after each
//     A28  a message whose last argument is another object's answer: as one, and streamed
//     A14  writes of a word to another PE's memory, 100 to 800
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/acceptance/rows.hpp"
#include "tsubu/base/pool.hpp"

using namespace tsubu;

namespace {

// ---- boxes

struct boxes {
  std::vector<std::uintptr_t> of;  // the box of each message, by its number
  int moved = 0;                   // messages that were seen in two places
  std::vector<int> order;          // of their execution

  template <class Archive>
  void serialize(Archive& archive) {
    archive(of, moved, order);
  }
};

class keeper : public object<keeper> {
 public:
  void put(int number) { found_.order.push_back(number); }
  void put_large(const std::vector<int>& words) {
    std::vector<int> expected(words.size());
    std::iota(expected.begin(), expected.end(), 0);
    whole_words_ = words == expected ? words.size() : 0;
  }
  std::size_t whole_words() { return whole_words_; }
  void all_sent() {}

  // What has been put when all_sent() comes waits; it is taken from the last to the first.
  task<boxes> take_backwards(int messages, int numbered_from) {
    found_.of.assign(static_cast<std::size_t>(messages), 0);
    found_.moved = 0;
    found_.order.clear();
    co_await accept<&keeper::all_sent>();
    std::set<int> moved;
    for (int wanted = numbered_from + messages - 1; wanted >= numbered_from; --wanted) {
      const auto is_wanted = [&](const int& number) {
        const auto lies = reinterpret_cast<std::uintptr_t>(&number);
        std::uintptr_t& box = found_.of[static_cast<std::size_t>(number - numbered_from)];
        if (box != 0 && box != lies) moved.insert(number);
        box = lies;
        return number == wanted;
      };
      co_await accept<&keeper::put>(is_wanted);
    }
    found_.moved = static_cast<int>(moved.size());
    co_return found_;
  }

 private:
  boxes found_;
  std::size_t whole_words_ = 0;  // of the large message, if it arrived whole
};

task<boxes> use_boxes(ref<keeper> k, int messages, int numbered_from) {
  auto taken = k.future<&keeper::take_backwards>(messages, numbered_from);
  for (int i = 0; i < messages; ++i) k.past<&keeper::put>(numbered_from + i);
  k.past<&keeper::all_sent>();
  co_return co_await std::move(taken);
}

task<void> box_rows() {
  constexpr int messages = 30;
  const ref<keeper> k = create<keeper>(at(pe_count() - 1));
  const boxes first = co_await use_boxes(k, messages, 0);
  const boxes then = co_await use_boxes(k, messages, messages);

  // The box of message 0 was freed last, so it is used first.
  const bool again = first.of == then.of;
  acceptance::row("A15", "boxes of 30 messages, then of 30 more: the last one freed is used first",
                  "free list (its order not told)", again ? "the same, in that order" : "others",
                  again || pool::watched);

  std::vector<int> words(1000);
  std::iota(words.begin(), words.end(), 0);
  auto waits = k.future<&keeper::take_backwards>(0, 0);
  k.past<&keeper::put_large>(words);
  k.past<&keeper::all_sent>();
  co_await std::move(waits);
  const std::size_t arrived = co_await k.now<&keeper::whole_words>();
  acceptance::row("A15", "words of a message that waited, and is larger than a box of 32", "not told",
                  std::to_string(arrived) + ", whole", arrived == words.size());

  std::vector<int> backwards = then.order;
  std::reverse(backwards.begin(), backwards.end());
  const bool in_order =
      static_cast<int>(backwards.size()) == messages && std::is_sorted(backwards.begin(), backwards.end());
  acceptance::row("A29", "of 30 waiting messages, taken in reverse order: copied or moved while they waited",
                  "0 with a free list", std::to_string(first.moved + then.moved),
                  in_order && first.moved + then.moved == 0);
}

// ---- packets

class sink : public object<sink> {
 public:
  template <class... Words>
  void take(Words...) {}
  int is_there() { return 1; }
};

template <class... Words>
task<void> send_words(ref<sink> to, Words... words) {
  to.past<&sink::take<Words...>>(words...);
  co_await to.now<&sink::is_there>();
}

task<void> packets() {
  const ref<sink> s = create<sink>(at(neighbour()));
  co_await s.now<&sink::is_there>();
  co_await send_words(s, 1);
  co_await send_words(s, 1, 2);
  co_await send_words(s, 1, 2, 3);
  co_await send_words(s, 1, 2, 3, 4);
  co_await send_words(s, 1, 2, 3, 4, 5);
  co_await send_words(s, 1, 2, 3, 4, 5, 6);
  co_await send_words(s, 1, 2, 3, 4, 5, 6, 7);
  co_await send_words(s, 1, 2, 3, 4, 5, 6, 7, 8);
}

// ---- nested: [a <= [:put (- n 1) 7 [b <== [:throw]]]]

class dice : public object<dice> {
 public:
  int roll() { return 4; }
};

task<void> nested(int n) {
  const ref<sink> a = create<sink>(at(neighbour(0)));
  const ref<dice> b = create<dice>(at(neighbour(1)));
  co_await a.now<&sink::is_there>();
  const int first = n - 1;
  const int third = co_await b.now<&dice::roll>();
  a.past<&sink::take<int, int, int>>(first, 7, third);
  co_await a.now<&sink::is_there>();

  auto message = a.stream<&sink::take<int, int, int>>();
  message.put<0>(n - 1);
  message.put<1>(7);
  const int last = co_await b.now<&dice::roll>();
  message.put<2>(last);
  message.past();
  co_await a.now<&sink::is_there>();
}

// ---- writes

pe_local<std::vector<int>> memory;
global_ptr<int> lend(int words) {
  memory->assign(static_cast<std::size_t>(words), 0);
  return share(std::span<int>(*memory));
}

task<void> writes() {
  constexpr int most = 800;
  const global_ptr<int> there = co_await at(neighbour()).now<lend>(most);
  for (const int words : {100, 200, 400, most}) {
    const std::uint64_t begin = ticks();
    for (int i = 0; i < words; ++i) co_await there[i].put(i + 1);
    const int last = co_await there[words - 1].read();
    require(last == words, "a read sees the write before it");
    std::printf("WRITES %d %llu\n", words, static_cast<unsigned long long>(ticks() - begin));
  }
}

task<int> program(arguments words) {
  const std::string what = words.size() > 1 ? std::string(words[1]) : "boxes";
  if (what == "packets") {
    co_await packets();
  } else if (what == "nested") {
    co_await nested(5);
  } else if (what == "writes") {
    co_await writes();
  } else {
    co_await box_rows();
  }
  co_return acceptance::verdict();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
