#include "tsubu/remote/termination/in_epoch.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "tsubu/remote/pe.hpp"

namespace tsubu::remote {
namespace {

// While it lives, a handler runs that was called for messages of an epoch.
class epoch_execution {
 public:
  epoch_execution(epoch_id id, pe_id from, std::uint32_t messages = 1) : from_(from), acknowledged_(messages) {
    epoch_part* part = current_pe->epochs.find(id);
    if (part == nullptr) [[unlikely]] {
      part = &current_pe->epochs.join(id, from);
      --acknowledged_;  // that of the message that made this PE join is deferred until it leaves
    }
    set_task_group(part);
    part_ = part;
  }
  epoch_execution(const epoch_execution&) = delete;
  epoch_execution& operator=(const epoch_execution&) = delete;
  ~epoch_execution() {
    set_task_group(nullptr);
    if (acknowledged_ != 0) part_->executed(from_, acknowledged_);
    part_->touch();
  }

 private:
  epoch_part* part_;
  pe_id from_;
  std::uint32_t acknowledged_;
};

// Packets without the names in front of them, one behind the other: so they are a run of the handler within, whose loop
// executes them as any other. Copying one is a fraction of what it costs to call that loop for it.
class packets_without_names {
 public:
  explicit packets_without_names(std::size_t each) : each_(each) {}
  bool has_room() const { return used_ + each_ <= bytes_.size(); }
  void add(const std::byte* packet) {
    std::byte* const to = bytes_.data() + used_;
    used_ += each_;
    std::size_t i = 0;
    for (; i + sizeof(std::uint64_t) <= each_; i += sizeof(std::uint64_t))
      std::memcpy(to + i, packet + i, sizeof(std::uint64_t));
    for (; i + sizeof(std::uint32_t) <= each_; i += sizeof(std::uint32_t))
      std::memcpy(to + i, packet + i, sizeof(std::uint32_t));
    for (; i < each_; ++i) to[i] = packet[i];
  }
  wire::run run_from(pe_id from) const { return {bytes_.data(), bytes_.data() + used_, from, nullptr}; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(used_ / each_); }
  void clear() { used_ = 0; }

 private:
  const std::size_t each_;
  std::size_t used_ = 0;
  std::array<std::byte, 1024> bytes_;  // not initialised
};
static_assert(message::outbox::sure_to_fit <= 1024);

// Packets of one PE that are mostly of one epoch.
void execute_together(const wire::run& r, std::size_t bytes, const wire::handler_entry& inner) {
  packets_without_names packets(inner.packet_bytes);
  for (const std::byte* packet = r.begin; packet != r.end; packets.clear()) {
    const auto id = wire::load<epoch_id>(packet);
    do {
      packets.add(packet + sizeof(epoch_id));
      packet += bytes;
    } while (packet != r.end && packets.has_room() && wire::load<epoch_id>(packet) == id);
    const epoch_execution here(id, r.from, packets.count());
    inner.execute(packets.run_from(r.from));
  }
}

// A packet that tells its length: the name is behind that.
void execute_variable(void* inner, const wire::run& r, const message::delivery& d, const std::byte* begin,
                      const std::byte* end) {
  if (end - begin < std::ptrdiff_t{sizeof(epoch_id)}) bad_run(r, begin, "the name of an epoch is cut off");
  wire::run within{begin + sizeof(epoch_id), end, d.from, r.batch_begin};
  within.bare = true;
  const epoch_execution here(wire::load<epoch_id>(begin), d.from);
  static_cast<const wire::handler_entry*>(inner)->execute(within);
}

}  // namespace

std::size_t execute_in_epoch(const wire::run& r, const wire::handler_entry& outer, const wire::handler_entry& inner) {
  if (outer.packet_bytes == 0) {
    void* const of = const_cast<wire::handler_entry*>(&inner);
    if (!r.bare) return message::execute_one_by_one(r, of, &execute_variable);
    execute_variable(of, r, {r.from, nullptr, 0}, r.begin, r.end);
    return 1;
  }
  const std::size_t tag = r.tag_bytes;
  const std::size_t bytes = tag + outer.packet_bytes;
  const auto count = static_cast<std::size_t>(r.end - r.begin) / bytes;
  if (tag == 0 && r.bulk == nullptr && inner.packet_bytes <= message::outbox::sure_to_fit) {
    execute_together(r, bytes, inner);
    return count;
  }
  pe_id from = r.from;
  for (const std::byte* packet = r.begin; packet != r.end; packet += bytes) {
    if (tag != 0) from = r.tag.pe_at(packet);
    const std::byte* const name = packet + tag;
    const epoch_execution here(wire::load<epoch_id>(name), from);
    inner.execute({name + sizeof(epoch_id), packet + bytes, from, r.batch_begin, r.bulk, r.bulk_bytes});
  }
  return count;
}

std::byte* place_in_epoch(const wire::run& r, const wire::handler_entry& inner) {
  wire::run within = r;
  within.begin += sizeof(epoch_id);
  return inner.place(within);
}

}  // namespace tsubu::remote
