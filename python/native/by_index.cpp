#include "python/native/by_index.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "python/native/carry.hpp"
#include "python/native/own_places.hpp"
#include "python/native/ranks.hpp"
#include "python/native/reductions.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::python {

std::size_t indices::first_wrong_of(std::size_t begin, std::size_t end) const {
  const auto is_wrong = [this](std::int64_t i) { return i < -n_ || i >= n_; };
  for (std::size_t k = begin; k < end; k += piece_elements) {
    const std::size_t piece_end = std::min(k + piece_elements, end);
    bool any = false;
    for (std::size_t i = k; i < piece_end; ++i) any |= is_wrong(values_[i]);
    if (any) return static_cast<std::size_t>(std::find_if(values_ + k, values_ + piece_end, is_wrong) - values_);
  }
  return none;
}

task<bool> indices::check() {
  const share mine = share_here(count_);
  const std::size_t first = co_await all_reduce(first_wrong_of(mine.begin, mine.end), reduce::min);
  if (this_pe() == 0) first_wrong_ = first;
  co_return first == none;
}

bool indices::check_all() {
  first_wrong_ = first_wrong_of(0, count_);
  return first_wrong_ == none;
}

// ---- what other processes are asked for, without any index

namespace {

template <class T>
void gather_too(std::uint64_t id, std::uint64_t n) {
  run_beside_first(std::make_unique<gather<T>>(id, indices(nullptr, 0, n), nullptr));
}
template <class T>
void scatter_too(std::uint64_t id, std::uint64_t n, update how) {
  run_beside_first(std::make_unique<scatter<T>>(id, indices(nullptr, 0, n), source<T>{}, how));
}

}  // namespace

// ---- gather

template <class T>
void gather<T>::ask(pe_id pe) const {
  at(pe).template past<gather_too<T>>(id_, which_.elements());
}

template <class T>
task<void> gather<T>::run_here() {
  const bool right = co_await which_.check();
  if (!right) co_return;
  if (!memory_is_shared()) {
    if (this_pe() == 0) co_await fetch_by_index(*this, id_, which_, to_);
    co_return;
  }
  const T* const all = part_here<T>(id_).all;
  const share of_this = share_here(which_.count());
  const auto load = [this, all](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) to_[k] = all[which_[k]];
  };
  in_pieces(*this, of_this.begin, of_this.end, load);
}

template <class T>
bool gather<T>::run_small(std::size_t most) {
  if (which_.count() > most) return false;
  const T* const all = elements_of<T>(id_);
  if (!which_.check_all()) return true;
  for (std::size_t k = 0; k < which_.count(); ++k) to_[k] = all[which_[k]];
  return true;
}

// ---- scatter

namespace {

// Calls with what an update does to one element.
template <class T, class With>
void with_change(update how, With with) {
  if (how == update::assign) {
    with([](T& value, T by) { value = by; });
  } else {
    with([](T& value, T by) { value = added(value, by); });
  }
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
  with_change<T>(how, each);
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
task<void> scatter<T>::say_end() {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe == this_pe()) {
      end_of_updates<T>(id_, how_, pe);
    } else {
      co_await at(pe).template past<end_of_updates<T>>(id_, how_, this_pe());
    }
  }
}

template <class T>
void scatter<T>::take_own(part<T>& mine) {
  const auto own = std::make_unique<own_places>();
  T* const values = mine.values.data();
  const std::size_t first = mine.first, size = mine.values.size();
  const auto all = [&](auto change) {
    in_pieces(*this, 0, which_.count(), [&](std::size_t begin, std::size_t end) {
      const auto is_own = [&](std::size_t k) { return which_[begin + k] - first < size; };
      for (const std::uint32_t k : own->find(end - begin, is_own))
        change(values[which_[begin + k] - first], from_[begin + k]);
    });
  };
  with_change<T>(how_, all);
}

template <class T>
bool scatter<T>::run_small(std::size_t most) {
  if (which_.count() > most) return false;
  T* const all = elements_of<T>(id_);
  if (!which_.check_all()) return true;
  for (std::size_t k = 0; k < which_.count(); ++k) {
    T& value = all[which_[k]];
    value = how_ == update::assign ? from_[k] : added(value, from_[k]);
  }
  return true;
}

template <class T>
void scatter<T>::ask(pe_id pe) const {
  at(pe).template past<scatter_too<T>>(id_, which_.elements(), how_);
}

template <class T>
task<void> scatter<T>::run_here() {
  const bool right = co_await which_.check();
  if (!right) co_return;
  part<T>& mine = part_here<T>(id_);
  if (each_looks_at_all()) {
    take_own(mine);
    co_return;
  }
  co_await send_updates(mine);
  if (has_order<T>(how_)) co_await say_end();
}

template class gather<std::int64_t>;
template class gather<double>;
template class scatter<std::int64_t>;
template class scatter<double>;

}  // namespace tsubu::python
