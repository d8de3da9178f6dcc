// Two ways to write a program for boards that share a memory: by hand, for the machine itself, and with what EULASH
// offers. A way tells where data lie, and how processes meet.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/eulash.hpp"
#include "tsubu/tsubu.hpp"

namespace acceptance {

struct timed_step {
  double step_ns = 0;
  bool right = false;
};

inline tsubu::task<double> ns_of_slowest(std::int64_t begin, int steps) {
  co_return co_await tsubu::all_reduce(static_cast<double>(tsubu::now_ns() - begin), tsubu::reduce::max) / steps;
}

inline long take_one(long& left) { return left-- == 0 ? left = 0 : left + 1; }

// Where this PE's next datum lies in its own memory, on a machine that is simulated.
inline std::uint64_t own_address(std::size_t bytes) {
  if (tsubu::simulated == nullptr) return 0;
  static std::vector<std::uint64_t> next(static_cast<std::size_t>(tsubu::pe_count()));
  return std::exchange(next[static_cast<std::size_t>(tsubu::this_pe())],
                       next[static_cast<std::size_t>(tsubu::this_pe())] + bytes);
}

// A datum in the own local memory, in plain sight.
template <class T>
class own_datum {
 public:
  explicit own_datum(T value) : value_(std::move(value)), address_(own_address(sizeof(T))) {}
  const T& read() const {
    tsubu::data::charge_local(sizeof(T), tsubu::data::access_kind::read, address_);
    return value_;
  }
  void write(T value) {
    tsubu::data::charge_local(sizeof(T), tsubu::data::access_kind::write, address_);
    value_ = std::move(value);
  }

 private:
  T value_;
  std::uint64_t address_;
};

// Names of data that process 0 makes: `count` of them, with these values.
template <class Datum, class T>
tsubu::task<std::vector<Datum>> made_by_first(std::vector<T> values) {
  std::vector<Datum> all(values.size());
  if (tsubu::this_pe() == 0) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Datum(values[i]);
  }
  co_return co_await tsubu::broadcast(std::move(all));
}

// A barrier of two words of the synchronizer: how many are still to come, and the round. Who waits looks again and
// again. What a PE does between two waits is done at once in the simulator, so each access first waits for the PE's
// turn: then no other is behind it in time. Where there is no such memory, processes meet as Tsubu's programs do.
class synchronizer_barrier {
 public:
  tsubu::task<void> begin() {
    std::vector<word> both;
    if (tsubu::this_pe() == 0) both = {word(tsubu::create_shared(how, long{tsubu::pe_count()})), word(made())};
    both = co_await tsubu::broadcast(std::move(both));
    left_ = both[0];
    round_ = both[1];
  }
  tsubu::task<void> meet() {
    if (tsubu::data::find_addressed(left_.name()) == nullptr) {
      co_await tsubu::barrier();
      co_return;
    }
    co_await tsubu::yield();
    const long round = co_await round_.read();
    const long before = co_await left_.change<take_one>();
    tsubu::fetch_and_dec_synchronizer(before);
    if (before == 1) {
      co_await left_.write(tsubu::pe_count());
      tsubu::write_synchronizer();
      co_await round_.write(round + 1);
      tsubu::write_synchronizer();
      co_return;
    }
    while (co_await round_.read() == round) {
      tsubu::read_synchronizer();
      co_await tsubu::yield();
    }
  }

 private:
  // Charged here, not by itself.
  using word = eulash::internal::addressed_variable<long>;
  static constexpr auto how = tsubu::protocol::global;
  static tsubu::shared<long> made() { return tsubu::create_shared(how, 0L); }
  word left_, round_;
};

// What many use lies in shared memory, by address. Processes meet at the synchronizer.
class by_hand {
 public:
  template <class T>
  using used_by_many = eulash::shared<T>;

  tsubu::task<void> begin() {
    co_await barrier_.begin();
    parts_ = co_await made_by_first<eulash::shared<double>>(
        std::vector<double>(static_cast<std::size_t>(tsubu::pe_count())));
  }
  tsubu::task<void> meet() { return barrier_.meet(); }
  // Adds up the parts of all processes, which meet once more before the next sum.
  tsubu::task<double> sum(double part) {
    co_await parts_[static_cast<std::size_t>(tsubu::this_pe())].write(part);
    co_await barrier_.meet();
    double all = 0;
    for (const auto& each : parts_) all += co_await each.read();
    co_return all;
  }

 private:
  synchronizer_barrier barrier_;
  std::vector<eulash::shared<double>> parts_;
};

// What many use is mobile, as EULASH's compiler has it. Processes run under the kernel, and meet by its messages.
class on_eulash {
 public:
  template <class T>
  using used_by_many = eulash::mobile<T>;

  tsubu::task<void> begin() {
    eulash::begin_kernel();
    co_return;
  }
  tsubu::task<void> meet() {
    tsubu::call_kernel();
    co_await tsubu::barrier();
  }
  tsubu::task<double> sum(double part) {
    tsubu::call_kernel();
    co_return co_await tsubu::all_reduce(part, tsubu::reduce::plus);
  }
};

}  // namespace acceptance
