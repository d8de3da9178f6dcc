#include "tsubu/transport/mpi/bulk.hpp"

#include "tsubu/transport/mpi/failure.hpp"

namespace tsubu::transport::mpi {
namespace {
constexpr std::size_t most_bytes = std::size_t{1} << 40;
}

void bulk_mover::offer(std::uint64_t pair, bulk_source source) {
  check(!source.bytes.empty() && source.bytes.size() < most_bytes, "a bulk has at least 1 and less than 2^40 bytes");
  offers_[pair].push(source);
}

void bulk_mover::cleared(std::uint64_t pair, int to) {
  auto found = offers_.find(pair);
  check(found != offers_.end(), "clear-to-send for a bulk that was not offered");
  const bulk_source source = found->second.front();
  found->second.pop();
  if (found->second.empty()) offers_.erase(found);
  send(to, source);
}

}  // namespace tsubu::transport::mpi
