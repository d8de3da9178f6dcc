#include "eulash/profile/thread_places.hpp"

#include <utility>

namespace eulash {
namespace {

// What two threads share, each two of them.
class shared_uses {
 public:
  shared_uses(std::size_t threads, const std::vector<shared_use>& all) : threads_(threads), of_(threads * threads) {
    for (const shared_use& s : all) {
      of_[s.one * threads + s.other] += s.accesses;
      of_[s.other * threads + s.one] += s.accesses;
    }
  }
  double between(std::size_t one, std::size_t other) const { return of_[one * threads_ + other]; }

  double across(const std::vector<int>& process_of) const {
    double sum = 0;
    for (std::size_t i = 0; i != threads_; ++i) {
      for (std::size_t k = 0; k != i; ++k) sum += process_of[i] != process_of[k] ? between(i, k) : 0;
    }
    return sum;
  }
  // By so much that becomes less if they change places.
  double gain(const std::vector<int>& process_of, std::size_t one, std::size_t other) const {
    double less = 0;
    for (std::size_t k = 0; k != threads_; ++k) {
      if (k == one || k == other) continue;
      const int sign = (process_of[k] == process_of[other] ? 1 : 0) - (process_of[k] == process_of[one] ? 1 : 0);
      less += sign * (between(one, k) - between(other, k));
    }
    return less;
  }

 private:
  std::size_t threads_;
  std::vector<double> of_;
};

}  // namespace

thread_places place_threads(std::size_t threads, int processes, const std::vector<shared_use>& shared) {
  const shared_uses uses(threads, shared);
  thread_places found;
  for (std::size_t k = 0; k != threads; ++k)
    found.process_of.push_back(static_cast<int>(k % static_cast<std::size_t>(processes)));
  found.in_turn = uses.across(found.process_of);
  for (double best = 1; best > 0;) {
    best = 0;
    std::pair<std::size_t, std::size_t> change;
    for (std::size_t i = 1; i < threads; ++i) {
      for (std::size_t k = 1; k < i; ++k) {
        if (found.process_of[i] == found.process_of[k]) continue;
        const double less = uses.gain(found.process_of, i, k);
        if (less > best) best = less, change = {i, k};
      }
    }
    if (best > 0) std::swap(found.process_of[change.first], found.process_of[change.second]);
  }
  found.here = uses.across(found.process_of);
  return found;
}

}  // namespace eulash
