#include "python/native/arrays.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "python/native/carry.hpp"
#include "python/native/ranks.hpp"
#include "python/native/reductions.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::python {
namespace {

// Collective: a new array, whose elements have no values yet, or std::bad_alloc on all PEs.
template <class T>
task<part<T>*> make_part(std::uint64_t id, std::size_t n) {
  constexpr std::size_t most_elements = std::size_t{1} << 48;  // more than there is memory for
  if (!memory_is_shared()) {
    const blocks where(n, pe_count());
    const std::size_t here = where.first_of(this_pe() + 1) - where.first_of(this_pe());
    std::unique_ptr<T[]> block;
    if (n <= most_elements) block.reset(new (std::nothrow) T[here]);
    const bool is_there = block != nullptr;
    auto made = std::make_unique<part<T>>(n, std::move(block), this_pe(), pe_count());
    part<T>* const kept = made.get();
    keep_here(id, std::move(made));  // before any other PE can send to it
    const int all_have = co_await all_reduce(is_there ? 1 : 0, reduce::min);
    if (all_have == 0) throw std::bad_alloc();
    co_return kept;
  }
  std::unique_ptr<T[]> own;
  if (this_pe() == 0 && n <= most_elements) own.reset(new (std::nothrow) T[n]);
  const std::uintptr_t at = co_await broadcast(reinterpret_cast<std::uintptr_t>(own.get()));
  if (at == 0) throw std::bad_alloc();
  auto made = std::make_unique<part<T>>(n, reinterpret_cast<T*>(at), std::move(own), this_pe(), pe_count());
  part<T>* const kept = made.get();
  keep_here(id, std::move(made));
  co_return kept;
}

// ---- what other processes are asked for, without anything of Python's memory

template <class T>
void make_array_too(std::uint64_t id, std::uint64_t n, bool is_one_value) {
  const source<T> from{nullptr, is_one_value ? std::size_t{0} : std::size_t{1}};
  run_beside_first(std::make_unique<make_array<T>>(id, n, from));
}
template <class T>
void read_slice_too(std::uint64_t id) {
  run_beside_first(std::make_unique<read_slice<T>>(id, slice{}, nullptr));
}
template <class T>
void write_slice_too(std::uint64_t id) {
  run_beside_first(std::make_unique<write_slice<T>>(id, slice{}, source<T>{}));
}
template <class T>
void combine_too(std::uint64_t id, std::uint64_t n, std::uint64_t left, T left_value, std::uint64_t right,
                 T right_value, arithmetic how) {
  using operand = combine<T>::operand;
  run_beside_first(std::make_unique<combine<T>>(id, n, operand{left, left_value}, operand{right, right_value}, how));
}
void as_floating_too(std::uint64_t id, std::uint64_t n, std::uint64_t from) {
  run_beside_first(std::make_unique<as_floating>(id, n, from));
}
template <class T>
void reduce_array_too(std::uint64_t id, reduction how) {
  run_beside_first(std::make_unique<reduce_array<T>>(id, how));
}

}  // namespace

template <class T>
task<void> make_array<T>::run_here() {
  part<T>& mine = *co_await make_part<T>(id_, n_);
  if (!memory_is_shared()) {
    if (from_.stride != 0) {
      if (this_pe() == 0) co_await send_slice(*this, id_, slice{0, 1, n_}, from_);
      co_return;
    }
    const T own = this_pe() == 0 ? from_[0] : T();
    const T value = co_await broadcast(own);
    in_pieces(*this, 0, mine.values.size(),
              [&](std::size_t begin, std::size_t end) { std::fill_n(&mine.values[begin], end - begin, value); });
    co_return;
  }
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) mine.values[k] = from_[mine.first + k];
  };
  in_pieces(*this, 0, mine.values.size(), copy);
}

template <class T>
void make_array<T>::ask(pe_id pe) const {
  at(pe).template past<make_array_too<T>>(id_, n_, from_.stride == 0);
}

template <class T>
void read_slice<T>::ask(pe_id pe) const {
  at(pe).template past<read_slice_too<T>>(id_);
}

template <class T>
task<void> read_slice<T>::run_here() {
  if (!memory_is_shared()) {
    if (this_pe() == 0) co_await fetch_slice(*this, id_, which_, to_);
    co_return;
  }
  const part<T>& mine = part_here<T>(id_);
  const in_slice here = part_of_slice(which_, mine.first, mine.values.size());
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) to_[k] = mine.values[which_.first + k * which_.step - mine.first];
  };
  in_pieces(*this, here.begin, here.end, copy);
  co_return;
}

template <class T>
bool read_slice<T>::run_small(std::size_t most) {
  if (which_.count > most) return false;
  const T* const all = elements_of<T>(id_);
  for (std::size_t k = 0; k < which_.count; ++k) to_[k] = all[which_.first + k * which_.step];
  return true;
}

template <class T>
bool write_slice<T>::run_small(std::size_t most) {
  if (which_.count > most) return false;
  T* const all = elements_of<T>(id_);
  for (std::size_t k = 0; k < which_.count; ++k) all[which_.first + k * which_.step] = from_[k];
  return true;
}

template <class T>
void write_slice<T>::ask(pe_id pe) const {
  at(pe).template past<write_slice_too<T>>(id_);
}

template <class T>
task<void> write_slice<T>::run_here() {
  if (!memory_is_shared()) {
    if (this_pe() == 0) co_await send_slice(*this, id_, which_, from_);
    co_return;
  }
  part<T>& mine = part_here<T>(id_);
  const in_slice here = part_of_slice(which_, mine.first, mine.values.size());
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) mine.values[which_.first + k * which_.step - mine.first] = from_[k];
  };
  in_pieces(*this, here.begin, here.end, copy);
  co_return;
}

// ---- element by element

template <class T>
void combine<T>::ask(pe_id pe) const {
  at(pe).template past<combine_too<T>>(id_, n_, left_.id, left_.value, right_.id, right_.value, how_);
}

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

void as_floating::ask(pe_id pe) const { at(pe).past<as_floating_too>(id_, n_, from_); }

task<void> as_floating::run_here() {
  part<double>& made = *co_await make_part<double>(id_, n_);
  const std::span<const std::int64_t> from = part_here<std::int64_t>(from_).values;
  const auto convert = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) made.values[k] = static_cast<double>(from[k]);
  };
  in_pieces(*this, 0, made.values.size(), convert);
}

// ---- of all elements

template <class T>
void reduce_array<T>::ask(pe_id pe) const {
  at(pe).template past<reduce_array_too<T>>(id_, how_);
}

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
template class combine<std::int64_t>;
template class combine<double>;
template class reduce_array<std::int64_t>;
template class reduce_array<double>;

}  // namespace tsubu::python
