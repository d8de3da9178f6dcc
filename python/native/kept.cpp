#include "python/native/kept.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "python/native/carry.hpp"
#include "tsubu/base/blocks.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::python {
namespace {

pe_local<std::unordered_map<std::uint64_t, std::unique_ptr<kept>>> all_here;

// What PE 0 keeps: looked at by callers, too, between two commands, and never while one runs.
std::unordered_map<std::uint64_t, kept*> of_first_pe;

}  // namespace

kept& kept_here(std::uint64_t id) {
  const auto found = all_here->find(id);
  require(found != all_here->end(), "number {} of Python's is asked for, and this PE does not have it", id);
  return *found->second;
}

std::vector<std::uint64_t> all_numbers_here() {
  std::vector<std::uint64_t> numbers;
  for (const auto& [id, what] : *all_here) numbers.push_back(id);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void keep_here(std::uint64_t id, std::unique_ptr<kept> what) {
  if (this_pe() == 0) of_first_pe[id] = what.get();
  const bool fresh = all_here->try_emplace(id, std::move(what)).second;
  require(fresh, "number {} of Python's is made twice", id);
}

task<void> drop_here(std::uint64_t id) {
  const auto found = all_here->find(id);
  if (found == all_here->end()) co_return;
  const std::unique_ptr<kept> dropped = std::move(found->second);
  all_here->erase(found);
  if (this_pe() == 0) of_first_pe.erase(id);
  co_await dropped->drop();
}

template <class T>
part<T>& part_here(std::uint64_t id) {
  auto* const found = dynamic_cast<part<T>*>(&kept_here(id));
  require(found != nullptr, "number {} of Python's is no array of this type", id);
  return *found;
}
template part<std::int64_t>& part_here<std::int64_t>(std::uint64_t id);
template part<double>& part_here<double>(std::uint64_t id);

template <class T>
T* elements_of(std::uint64_t id) {
  const auto found = of_first_pe.find(id);
  auto* const array = found != of_first_pe.end() ? dynamic_cast<part<T>*>(found->second) : nullptr;
  require(array != nullptr, "number {} of Python's is no array of this type", id);
  return array->all;
}
template std::int64_t* elements_of<std::int64_t>(std::uint64_t id);
template double* elements_of<double>(std::uint64_t id);

void forget_arrays() { of_first_pe.clear(); }

share share_here(std::size_t n) {
  if (!memory_is_shared()) return {this_pe() == 0 ? 0 : n, n};
  const auto pes = static_cast<std::size_t>(pe_count()), me = static_cast<std::size_t>(this_pe());
  return {detail::block_begin(n, pes, me), detail::block_begin(n, pes, me + 1)};
}

}  // namespace tsubu::python
