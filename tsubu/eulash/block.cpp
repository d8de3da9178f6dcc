#include "tsubu/eulash/block.hpp"

#include "tsubu/base/check.hpp"

namespace tsubu::placed {

void block::unmark() const { unmark_lines(in_, offset_, bytes_); }

void block::check_place() const {
  const std::uint64_t span = views->where.span();
  require(bytes_ != 0 && offset_ % EULASH_LINE == 0 && offset_ < span && bytes_ <= span - offset_,
          "a block of {} bytes at {} arrives, which is no place in shared memory", bytes_, offset_);
}

}  // namespace tsubu::placed
