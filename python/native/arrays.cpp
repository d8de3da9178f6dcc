#include "python/native/arrays.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "python/native/reductions.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::python {
namespace {

// Collective: a new part on every PE, or std::bad_alloc on all.
template <class T>
task<part<T>*> make_part(std::uint64_t id, std::size_t n) {
  constexpr std::size_t most_elements = std::size_t{1} << 48;  // more than there is memory for
  std::unique_ptr<part<T>> made;
  try {
    if (n > most_elements) throw std::bad_alloc();
    made = std::make_unique<part<T>>(n, this_pe(), pe_count());
  } catch (const std::bad_alloc&) {
    // Said by all, below.
  }
  const bool all_have = co_await all_reduce(made != nullptr, reduce::all);
  if (!all_have) throw std::bad_alloc();
  part<T>* const kept = made.get();
  keep_here(id, std::move(made));
  co_return kept;
}

// The elements of a slice that are in a part: their numbers in the slice.
struct in_slice {
  std::size_t begin, end;
};
in_slice part_of_slice(const slice& s, std::size_t first, std::size_t count) {
  const auto number_from = [&](std::size_t index) {
    return index <= s.first ? 0 : std::min(s.count, (index - s.first + s.step - 1) / s.step);
  };
  return {number_from(first), number_from(first + count)};
}

// Pieces of what a PE works at, until that is cancelled. f(begin, end) of each.
template <class F>
void in_pieces(const command& of, std::size_t begin, std::size_t end, F f) {
  for (std::size_t at = begin; at < end && !of.is_cancelled(); at += piece_elements)
    f(at, std::min(at + piece_elements, end));
}

template <class T>
void apply(part<T>& mine, update how, const std::vector<entry<T>>& entries) {
  T* const values = mine.values.data();
  const std::size_t size = mine.values.size();
  const auto each = [&](auto change) {
    for (const entry<T>& e : entries) {
      require(e.number < size, "element number {} of a part of {} is updated", e.number, size);
      change(values[e.number], e.value);
    }
  };
  if (how == update::assign) {
    each([](T& value, T by) { value = by; });
  } else {
    each([](T& value, T by) { value = added(value, by); });
  }
}

// Whether the result depends on the order of the updates.
template <class T>
bool has_order(update how) {
  return how == update::assign || std::is_floating_point_v<T>;
}

template <class T>
void take_updates(std::uint64_t id, update how, pe_id from, std::vector<entry<T>> entries) {
  part<T>& mine = part_here<T>(id);
  if (!has_order<T>(how)) return apply(mine, how, entries);
  mine.updates.take(from, std::move(entries), [&](const std::vector<entry<T>>& next) { apply(mine, how, next); });
}

template <class T>
void end_of_updates(std::uint64_t id, update how, pe_id from) {
  part<T>& mine = part_here<T>(id);
  mine.updates.end_of(from, [&](const std::vector<entry<T>>& next) { apply(mine, how, next); });
}

template <class T>
std::vector<T> values_at(std::uint64_t id, std::vector<std::uint64_t> numbers) {
  const std::vector<T>& values = part_here<T>(id).values;
  std::vector<T> found;
  found.reserve(numbers.size());
  for (const std::uint64_t number : numbers) {
    require(number < values.size(), "element number {} of a part of {} is read", number, values.size());
    found.push_back(values[number]);
  }
  return found;
}

}  // namespace

template <class T>
task<void> make_array<T>::run_here() {
  part<T>& mine = *co_await make_part<T>(id_, n_);
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) mine.values[k] = from_[mine.first + k];
  };
  in_pieces(*this, 0, mine.values.size(), copy);
}

template <class T>
task<void> read_slice<T>::run_here() {
  const part<T>& mine = part_here<T>(id_);
  const in_slice here = part_of_slice(which_, mine.first, mine.values.size());
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) to_[k] = mine.values[which_.first + k * which_.step - mine.first];
  };
  in_pieces(*this, here.begin, here.end, copy);
  co_return;
}

template <class T>
task<void> write_slice<T>::run_here() {
  part<T>& mine = part_here<T>(id_);
  const in_slice here = part_of_slice(which_, mine.first, mine.values.size());
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) mine.values[which_.first + k * which_.step - mine.first] = from_[k];
  };
  in_pieces(*this, here.begin, here.end, copy);
  co_return;
}

task<bool> indices::check() {
  const share mine = share_here(count_);
  std::size_t wrong = none;
  for (std::size_t k = mine.begin; k < mine.end && wrong == none; k += piece_elements) {
    const std::size_t end = std::min(k + piece_elements, mine.end);
    const auto is_wrong = [this](std::int64_t i) { return i < -n_ || i >= n_; };
    bool any = false;
    for (std::size_t i = k; i < end; ++i) any |= is_wrong(values_[i]);
    if (any) wrong = static_cast<std::size_t>(std::find_if(values_ + k, values_ + end, is_wrong) - values_);
  }
  const std::size_t first = co_await all_reduce(wrong, reduce::min);
  if (this_pe() == 0) first_wrong_ = first;
  co_return first == none;
}

// ---- gather

namespace {

// What a PE has asked for a piece of a gather: of each PE the elements, and where they go.
template <class T>
struct asked_piece {
  std::vector<std::vector<std::uint32_t>> places;  // by PE, in the piece
  std::vector<std::optional<future<std::vector<T>>>> answers;
  T* to = nullptr;
};

template <class T>
asked_piece<T> ask_piece(std::uint64_t id, const part<T>& mine, const indices& which, std::size_t begin,
                         std::size_t end, T* to) {
  const auto pes = static_cast<std::size_t>(pe_count()), me = static_cast<std::size_t>(this_pe());
  asked_piece<T> asked{std::vector<std::vector<std::uint32_t>>(pes), {}, to + begin};
  asked.answers.resize(pes);
  std::vector<std::vector<std::uint64_t>> numbers(pes);
  for (std::size_t k = begin; k < end; ++k) {
    const blocks::place at = mine.where.of(which[k]);
    numbers[at.home].push_back(at.number);
    asked.places[at.home].push_back(static_cast<std::uint32_t>(k - begin));
  }
  for (std::size_t pe = 0; pe < pes; ++pe) {
    if (pe == me || numbers[pe].empty()) continue;
    asked.answers[pe].emplace(at(static_cast<pe_id>(pe)).template future<values_at<T>>(id, std::move(numbers[pe])));
  }
  for (std::size_t k = 0; k < numbers[me].size(); ++k) asked.to[asked.places[me][k]] = mine.values[numbers[me][k]];
  return asked;
}

template <class T>
task<void> take_answers(asked_piece<T>& asked) {
  for (std::size_t pe = 0; pe < asked.answers.size(); ++pe) {
    if (!asked.answers[pe]) continue;
    const std::vector<T> values = co_await std::move(*asked.answers[pe]);
    for (std::size_t k = 0; k < values.size(); ++k) asked.to[asked.places[pe][k]] = values[k];
  }
}

}  // namespace

// While the answers for a piece are under way, the next is asked for.
template <class T>
task<void> gather<T>::run_here() {
  const bool right = co_await which_.check();
  if (!right) co_return;
  const part<T>& mine = part_here<T>(id_);
  const share of_this = share_here(which_.count());
  asked_piece<T> before;
  for (std::size_t k = of_this.begin; k < of_this.end && !is_cancelled(); k += piece_elements) {
    asked_piece<T> next = ask_piece<T>(id_, mine, which_, k, std::min(k + piece_elements, of_this.end), to_);
    co_await take_answers(before);
    before = std::move(next);
  }
  co_await take_answers(before);
}

// ---- scatter

namespace {

// The updates of a piece, by the PE of their element.
template <class T>
class dealt_piece {
 public:
  explicit dealt_piece(std::size_t pes) : counts_(pes), next_(pes) {}

  std::vector<std::vector<entry<T>>> deal(const blocks& where, const indices& which, const source<T>& from,
                                          std::size_t begin, std::size_t end) {
    std::fill(counts_.begin(), counts_.end(), 0);
    places_.resize(end - begin);
    for (std::size_t k = begin; k < end; ++k) {
      const blocks::place at = where.of(which[k]);
      places_[k - begin] = at;
      ++counts_[at.home];
    }
    std::vector<std::vector<entry<T>>> dealt(counts_.size());
    for (std::size_t pe = 0; pe < dealt.size(); ++pe) {
      dealt[pe].resize(counts_[pe]);
      next_[pe] = dealt[pe].data();
    }
    for (std::size_t k = begin; k < end; ++k) {
      const blocks::place at = places_[k - begin];
      *next_[at.home]++ = entry<T>(at.number, from[k]);
    }
    return dealt;
  }

 private:
  std::vector<std::size_t> counts_;
  std::vector<entry<T>*> next_;
  std::vector<blocks::place> places_;
};

}  // namespace

template <class T>
task<void> scatter<T>::send_updates(part<T>& mine) {
  const share of_this = share_here(which_.count());
  const auto pes = static_cast<std::size_t>(pe_count());
  dealt_piece<T> dealing(pes);
  for (std::size_t k = of_this.begin; k < of_this.end && !is_cancelled(); k += piece_elements) {
    std::vector<std::vector<entry<T>>> dealt =
        dealing.deal(mine.where, which_, from_, k, std::min(k + piece_elements, of_this.end));
    for (std::size_t i = 0; i < pes; ++i) {
      const auto pe = static_cast<pe_id>(i);
      if (pe == this_pe()) {
        take_updates<T>(id_, how_, pe, std::move(dealt[i]));
      } else if (!dealt[i].empty()) {
        co_await at(pe).template past<take_updates<T>>(id_, how_, this_pe(), std::move(dealt[i]));
      }
    }
  }
}

// Also one that is cancelled tells the others that no more comes, so that nothing is kept for the next.
template <class T>
task<void> scatter<T>::run_here() {
  const bool right = co_await which_.check();
  if (!right) co_return;
  co_await send_updates(part_here<T>(id_));
  if (!has_order<T>(how_)) co_return;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe == this_pe()) {
      end_of_updates<T>(id_, how_, pe);
    } else {
      co_await at(pe).template past<end_of_updates<T>>(id_, how_, this_pe());
    }
  }
}

// ---- element by element

template <class T>
task<void> combine<T>::run_here() {
  part<T>& made = *co_await make_part<T>(id_, n_);
  const T* const left = left_.id != 0 ? part_here<T>(left_.id).values.data() : nullptr;
  const T* const right = right_.id != 0 ? part_here<T>(right_.id).values.data() : nullptr;
  using word = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  const auto each = [&](auto op) {
    return [this, &made, left, right, op](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const T a = left != nullptr ? left[k] : left_.value, b = right != nullptr ? right[k] : right_.value;
        made.values[k] = static_cast<T>(op(static_cast<word>(a), static_cast<word>(b)));
      }
    };
  };
  const auto add = each([](word a, word b) { return a + b; });
  const auto subtract = each([](word a, word b) { return a - b; });
  const auto multiply = each([](word a, word b) { return a * b; });
  const std::size_t n = made.values.size();
  if (how_ == arithmetic::add) in_pieces(*this, 0, n, add);
  if (how_ == arithmetic::subtract) in_pieces(*this, 0, n, subtract);
  if (how_ == arithmetic::multiply) in_pieces(*this, 0, n, multiply);
}

task<void> as_floating::run_here() {
  part<double>& made = *co_await make_part<double>(id_, n_);
  const std::vector<std::int64_t>& from = part_here<std::int64_t>(from_).values;
  const auto convert = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) made.values[k] = static_cast<double>(from[k]);
  };
  in_pieces(*this, 0, made.values.size(), convert);
}

// ---- of all elements

template <class T>
task<void> reduce_array<T>::run_here() {
  const std::span<const T> mine = part_here<T>(id_).values;
  const joined<T> by_order(how_);
  const partial<T> here = partial_of(how_, mine);
  const partial<T> all = co_await all_reduce(here, by_order);
  if (this_pe() == 0) result_ = all.value;
}

template class make_array<std::int64_t>;
template class make_array<double>;
template class read_slice<std::int64_t>;
template class read_slice<double>;
template class write_slice<std::int64_t>;
template class write_slice<double>;
template class gather<std::int64_t>;
template class gather<double>;
template class scatter<std::int64_t>;
template class scatter<double>;
template class combine<std::int64_t>;
template class combine<double>;
template class reduce_array<std::int64_t>;
template class reduce_array<double>;

}  // namespace tsubu::python
