#include "tsubu/data/variables/pe_set.hpp"

namespace tsubu::data {

void pe_set::insert_in_list(pe_id pe) {
  if (is_in_line()) {
    auto* all = new std::vector<pe_id>;
    for_each([&](pe_id one) { all->push_back(one); });
    word_ = reinterpret_cast<std::uint64_t>(all);
  }
  const auto place = std::lower_bound(list().begin(), list().end(), pe);
  if (place == list().end() || *place != pe) list().insert(place, pe);
}

void pe_set::erase_from_list(pe_id pe) {
  list().erase(std::lower_bound(list().begin(), list().end(), pe));
  if (list().empty()) clear();
}

}  // namespace tsubu::data
