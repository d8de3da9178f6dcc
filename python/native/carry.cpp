#include "python/native/carry.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "python/native/kept.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::python {
namespace {

constexpr std::size_t pieces_ahead = 16;

// ---- what the PE of the elements does

template <class T>
void check_slice(const part<T>& mine, std::uint64_t first, std::uint64_t step, std::uint64_t count) {
  const std::uint64_t size = mine.values.size();
  require(count == 0 || (first < size && (count - 1 == 0 || (step != 0 && count - 1 <= (size - 1 - first) / step))),
          "{} elements from {} on, by {}, of a part of {} are asked for", count, first, step, size);
}

template <class T>
void write_elements(std::uint64_t id, std::uint64_t first, std::uint64_t step, std::vector<T> values) {
  part<T>& mine = part_here<T>(id);
  check_slice(mine, first, step, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) mine.values[first + k * step] = values[k];
}

template <class T>
std::vector<T> read_elements(std::uint64_t id, std::uint64_t first, std::uint64_t step, std::uint64_t count) {
  const part<T>& mine = part_here<T>(id);
  check_slice(mine, first, step, count);
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = mine.values[first + k * step];
  return values;
}

template <class T>
std::vector<T> read_numbers(std::uint64_t id, std::vector<std::uint64_t> numbers) {
  const part<T>& mine = part_here<T>(id);
  const std::size_t size = mine.values.size();
  std::vector<T> values(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    require(numbers[k] < size, "element number {} of a part of {} is asked for", numbers[k], size);
    values[k] = mine.values[numbers[k]];
  }
  return values;
}

// ---- what PE 0 has asked for

// Each to places of its own: they come when they come.
template <class T>
class asked_elements {
 public:
  asked_elements(T* to, std::size_t ahead) : to_(to), ahead_(ahead) {}

  // The next values of `of` are for to[first], to[first + 1], ..
  task<void> row(future<std::vector<T>> of, std::size_t first, std::size_t count) {
    asked_.push_back({std::move(of), first, count, {}});
    return settle(ahead_);
  }
  // They are for these places.
  task<void> places(future<std::vector<T>> of, std::vector<std::size_t> which) {
    const std::size_t count = which.size();
    asked_.push_back({std::move(of), 0, count, std::move(which)});
    return settle(ahead_);
  }
  // Waits until no more than so many are asked for.
  task<void> settle(std::size_t most) {
    while (asked_.size() > most) {
      asked next = std::move(asked_.front());
      asked_.pop_front();
      const std::vector<T> values = co_await std::move(next.of);
      require(values.size() == next.count, "{} elements came, and {} were asked for", values.size(), next.count);
      for (std::size_t k = 0; k < values.size(); ++k)
        to_[next.which.empty() ? next.first + k : next.which[k]] = values[k];
    }
  }

 private:
  struct asked {
    future<std::vector<T>> of;
    std::size_t first, count;
    std::vector<std::size_t> which;
  };
  T* const to_;
  const std::size_t ahead_;
  std::deque<asked> asked_;
};

// Calls f(pe, number of the first element there, begin, end) for each piece of a slice; a task.
template <class F>
task<void> each_piece(const command& of, const blocks& where, slice s, F f) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const std::size_t first = where.first_of(pe);
    const in_slice here = part_of_slice(s, first, where.first_of(pe + 1) - first);
    for (std::size_t k = here.begin; k < here.end && !of.is_cancelled(); k += piece_elements)
      co_await f(pe, s.first + k * s.step - first, k, std::min(k + piece_elements, here.end));
  }
}

}  // namespace

in_slice part_of_slice(const slice& s, std::size_t first, std::size_t count) {
  const auto number_from = [&](std::size_t index) {
    return index <= s.first ? 0 : std::min(s.count, (index - s.first + s.step - 1) / s.step);
  };
  return {number_from(first), number_from(first + count)};
}

template <class T>
task<void> send_slice(const command& of, std::uint64_t id, slice to, source<T> from) {
  const auto send = [id, step = to.step, from](pe_id pe, std::size_t number, std::size_t begin,
                                               std::size_t end) -> task<void> {
    std::vector<T> values(end - begin);
    for (std::size_t k = begin; k < end; ++k) values[k - begin] = from[k];
    co_await at(pe).template past<write_elements<T>>(id, number, step, std::move(values));
  };
  co_await each_piece(of, part_here<T>(id).where, to, send);
}

template <class T>
task<void> fetch_slice(const command& of, std::uint64_t id, slice from, T* to) {
  asked_elements<T> asked(to, pieces_ahead);
  const auto fetch = [id, step = from.step, &asked](pe_id pe, std::size_t number, std::size_t begin, std::size_t end) {
    return asked.row(at(pe).template future<read_elements<T>>(id, number, step, end - begin), begin, end - begin);
  };
  co_await each_piece(of, part_here<T>(id).where, from, fetch);
  co_await asked.settle(0);
}

template <class T>
task<void> fetch_by_index(const command& of, std::uint64_t id, const indices& which, T* to) {
  const blocks where = part_here<T>(id).where;
  const auto pes = static_cast<std::size_t>(pe_count());
  const std::size_t piece = piece_elements * pes;
  asked_elements<T> asked(to, pieces_ahead * pes);
  for (std::size_t begin = 0; begin < which.count() && !of.is_cancelled(); begin += piece) {
    std::vector<std::vector<std::uint64_t>> numbers(pes);
    std::vector<std::vector<std::size_t>> places(pes);
    for (std::size_t k = begin; k < std::min(begin + piece, which.count()); ++k) {
      const blocks::place at = where.of(which[k]);
      numbers[at.home].push_back(at.number);
      places[at.home].push_back(k);
    }
    for (std::size_t i = 0; i < pes; ++i) {
      if (places[i].empty()) continue;
      future<std::vector<T>> values =
          at(static_cast<pe_id>(i)).template future<read_numbers<T>>(id, std::move(numbers[i]));
      co_await asked.places(std::move(values), std::move(places[i]));
    }
  }
  co_await asked.settle(0);
}

template task<void> send_slice(const command&, std::uint64_t, slice, source<std::int64_t>);
template task<void> send_slice(const command&, std::uint64_t, slice, source<double>);
template task<void> fetch_slice(const command&, std::uint64_t, slice, std::int64_t*);
template task<void> fetch_slice(const command&, std::uint64_t, slice, double*);
template task<void> fetch_by_index(const command&, std::uint64_t, const indices&, std::int64_t*);
template task<void> fetch_by_index(const command&, std::uint64_t, const indices&, double*);

}  // namespace tsubu::python
