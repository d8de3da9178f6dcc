#include "tsubu/parallel/pool.hpp"

#include <string>
#include <unordered_map>

#include "tsubu/remote/messages/error_report.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::parallel {

namespace {

struct opened_pools {
  std::uint32_t last = 0;
  std::unordered_map<std::uint32_t, pool*> by_number;
};
const pe_local<opened_pools> opened;

pool& look(std::uint32_t number) {
  const auto found = opened->by_number.find(number);
  require(found != opened->by_number.end(), "word came of pool {} of this PE, which is not open", number);
  return *found->second;
}

struct part_failed {
  using layout = wire::layout<std::uint32_t, remote::error_report>;
  static void call(const message::delivery&, std::uint32_t number, const remote::error_report& report) {
    look(number).fail(remote::exception_of(report));
  }
};

}  // namespace

pool::pool(const void* kind) : name_{this_pe(), ++opened->last}, kind_(kind) {
  opened->by_number.emplace(name_.number, this);
}

pool::~pool() { opened->by_number.erase(name_.number); }

pool& pool::opened_here(std::uint32_t number, const void* kind) {
  pool& found = look(number);
  require(found.kind_ == kind, "a result came for pool {} of this PE, whose results are of another type", number);
  return found;
}

remote::epoch_part& pool::epoch_here(pe_id from, const pool_name& name, std::uint32_t epoch) {
  remote::epoch_part* const part = remote::current_pe->epochs.find({name.opener, epoch});
  require(part != nullptr, "PE {} sends a result of pool {} of PE {}, which PE {} has no part in", from, name.number,
          name.opener, this_pe());
  return *part;
}

void pool::tell_error(pool_name name, std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (...) {
    if (name.opener == this_pe()) return look(name.number).fail(remote::answered_exception());
    remote::send<part_failed>(name.opener, name.number, remote::error_being_handled());
  }
}

}  // namespace tsubu::parallel
