#include "python/native/keyed.hpp"

#include <tsl/robin_map.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "python/native/carry.hpp"
#include "python/native/kept.hpp"
#include "python/native/own_places.hpp"
#include "python/native/ranks.hpp"
#include "python/native/reductions.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/containers.hpp"
#include "tsubu/tsubu.hpp"

namespace tsubu::python {
namespace {

constexpr std::size_t between_looks = 1024;  // messages between two looks at the network

template <class Container>
class kept_container final : public kept {
 public:
  explicit kept_container(Container of) : name(of) {}
  task<void> drop() override { return name.end(); }
  const Container name;
};

using counter = counting_set<std::int64_t>;

// Sums of integers wrap around, as NumPy's do.
struct wrapping_plus : reduce::op_base {
  static constexpr bool commutes = true;
  template <class T>
  T operator()(T a, T b) const {
    return added(a, b);
  }
};

bool is_own(std::int64_t key) { return by_hash()(key, pe_count()) == this_pe(); }

template <class Container>
Container container_here(std::uint64_t id) {
  const auto* const found = dynamic_cast<kept_container<Container>*>(&kept_here(id));
  require(found != nullptr, "number {} of Python's is another container", id);
  return found->name;
}

// ---- what other processes are asked for, without any key

void make_counter_too(std::uint64_t id) { run_beside_first(std::make_unique<make_counter>(id)); }
void count_keys_too(std::uint64_t id) {
  run_beside_first(std::make_unique<count_keys>(id, nullptr, 0, source<std::int64_t>{}));
}
void read_counts_too(std::uint64_t id) { run_beside_first(std::make_unique<read_counts>(id, nullptr, 0, nullptr)); }
void top_keys_too(std::uint64_t id, std::uint64_t k) { run_beside_first(std::make_unique<top_keys>(id, k)); }
template <class T>
void sum_by_key_too(std::uint64_t id) {
  run_beside_first(std::make_unique<sum_by_key<T>>(id, nullptr, nullptr, 0));
}
template <class T>
void read_sums_too(std::uint64_t id) {
  run_beside_first(std::make_unique<read_sums<T>>(id, nullptr, nullptr));
}

}  // namespace

void make_counter::ask(pe_id pe) const { at(pe).past<make_counter_too>(id_); }
void count_keys::ask(pe_id pe) const { at(pe).past<count_keys_too>(id_); }
void read_counts::ask(pe_id pe) const { at(pe).past<read_counts_too>(id_); }
void top_keys::ask(pe_id pe) const { at(pe).past<top_keys_too>(id_, k_); }
template <class T>
void sum_by_key<T>::ask(pe_id pe) const {
  at(pe).template past<sum_by_key_too<T>>(id_);
}
template <class T>
void read_sums<T>::ask(pe_id pe) const {
  at(pe).template past<read_sums_too<T>>(id_);
}

task<void> make_counter::run_here() {
  const counter made = co_await create_counting_set<std::int64_t>();
  keep_here(id_, std::make_unique<kept_container<counter>>(made));
}

task<void> count_keys::run_here() {
  const counter to = container_here<counter>(id_);
  const share mine = share_here(count_);
  for (std::size_t k = mine.begin; k < mine.end && !is_cancelled(); k += between_looks) {
    for (std::size_t i = k; i < std::min(k + between_looks, mine.end); ++i)
      static_cast<void>(to.insert(keys_[i], times_[i]));
    co_await room_everywhere();
  }
}

task<void> read_counts::run_here() {
  const counter of = container_here<counter>(id_);
  const share mine = share_here(count_);
  std::vector<future<std::int64_t>> asked;
  for (std::size_t k = mine.begin; k < mine.end && !is_cancelled(); k += between_looks) {
    const std::size_t end = std::min(k + between_looks, mine.end);
    asked.clear();
    for (std::size_t i = k; i < end; ++i) asked.push_back(of.future().count(keys_[i]));
    for (std::size_t i = k; i < end; ++i) to_[i] = co_await std::move(asked[i - k]);
  }
}

task<void> top_keys::run_here() {
  const counter of = container_here<counter>(id_);
  std::vector<counter::value_type> best = co_await of.top_k(k_);
  const std::int64_t all = co_await of.total();
  const std::size_t keys = co_await of.size();
  if (this_pe() != 0) co_return;
  found.assign(best.begin(), best.end());
  total = all;
  size = keys;
}

// By the homes of the keys, of which each looks at all.
template <class T>
task<sums<T>> sum_by_key<T>::sum_own() {
  tsl::robin_map<std::int64_t, T, containers::table_hash> own;
  const auto places = std::make_unique<own_places>();
  in_pieces(*this, 0, count_, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t k : places->find(end - begin, [&](std::size_t i) { return is_own(keys_[begin + i]); })) {
      const auto [at, fresh] = own.try_emplace(keys_[begin + k], values_[begin + k]);
      if (!fresh) at.value() = added(at.value(), values_[begin + k]);
    }
  });
  const sums<T> made = co_await create_map<std::int64_t, T>();
  for (const auto& [key, sum] : own) co_await made.past().insert(key, sum);
  co_await quiescence();
  co_return made;
}

template <class T>
task<sums<T>> sum_by_key<T>::sum_shares() {
  const share mine = share_here(count_);
  const auto goes_on = [this](std::size_t k) { return k % piece_elements != 0 || !is_cancelled(); };
  const auto row = [this](std::size_t k) { return std::pair<std::int64_t, T>(keys_[k], values_[k]); };
  const auto rows =
      std::views::iota(mine.begin, mine.end) | std::views::take_while(goes_on) | std::views::transform(row);
  return reduce_by_key(rows, wrapping_plus());
}

template <class T>
task<void> sum_by_key<T>::run_here() {
  task<sums<T>> summing = each_looks_at_all() ? sum_own() : sum_shares();
  const sums<T> made = co_await std::move(summing);
  keep_here(id_, std::make_unique<kept_container<sums<T>>>(made));
  const std::size_t keys = co_await made.size();
  if (this_pe() == 0) size_ = keys;
}

// In rounds, of some rows of each PE.
template <class T>
task<void> read_sums<T>::send_to_first(sums<T> of) {
  constexpr std::size_t rows = std::size_t{1} << 14;
  const std::size_t most = co_await all_reduce(of.size_here(), reduce::max);
  auto&& here = of.here();
  auto next = here.begin();
  std::size_t at = 0;
  for (std::size_t round = 0; round * rows < most; ++round) {
    std::vector<std::pair<std::int64_t, T>> own;
    for (; own.size() < rows && next != here.end(); ++next) own.emplace_back((*next).first, (*next).second);
    const auto all = co_await tsubu::gather(std::move(own));
    for (const std::vector<std::pair<std::int64_t, T>>& of_pe : all) {
      for (const auto& [key, sum] : of_pe) {
        keys_[at] = key;
        sums_[at++] = sum;
      }
    }
  }
}

template <class T>
task<void> read_sums<T>::run_here() {
  const sums<T> of = container_here<sums<T>>(id_);
  if (!memory_is_shared()) {
    co_await send_to_first(of);
    co_return;
  }
  const std::size_t here = of.size_here();
  std::size_t at = co_await scan(here, reduce::plus) - here;
  for (const auto& [key, sum] : of.here()) {
    keys_[at] = key;
    sums_[at++] = sum;
  }
}

template class sum_by_key<std::int64_t>;
template class sum_by_key<double>;
template class read_sums<std::int64_t>;
template class read_sums<double>;

}  // namespace tsubu::python
