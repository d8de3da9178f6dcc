#include "tsubu/object/numbers.hpp"

#include <algorithm>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::objects {

number_stocks::number_stocks(pe_id pes, std::uint32_t first_generation)
    : pes_(pes),
      first_generation_(first_generation),
      stocks_(std::make_unique<stock[]>(static_cast<std::size_t>(pes))) {}

std::uint32_t number_stocks::next_everywhere(std::uint32_t count) {
  const auto all = static_cast<std::size_t>(pes_);
  std::uint32_t first = 0;
  for (std::size_t home = 0; home < all; ++home) first = std::max(first, stocks_[home].fresh);
  for (std::size_t home = 0; home < all; ++home) stocks_[home].fresh = first + count;
  return first;
}

void number_stocks::take_back(pe_id home, const returned_numbers& n) {
  std::vector<numbered>& returned = stocks_[static_cast<std::size_t>(home)].returned;
  returned.insert(returned.end(), n.begin(), n.end());
}

bool number_stocks::owe(pe_id creator, numbered n, returned_numbers& bunch) {
  std::vector<numbered>& owed = stocks_[static_cast<std::size_t>(creator)].owed;
  owed.push_back(n);
  if (owed.size() < bunch.size()) return false;
  std::copy(owed.begin(), owed.end(), bunch.begin());
  owed.clear();
  return true;
}

void number_stocks::no_more_numbers(pe_id home) {
  fail("this PE has created " + std::to_string(identity::most_number) + " objects on PE " + std::to_string(home) +
       " that have not ended: there are no more names");
}

}  // namespace tsubu::objects
