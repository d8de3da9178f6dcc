#include "tsubu/remote/termination/epochs.hpp"

#include <memory>
#include <unordered_map>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::remote {
namespace {

struct acknowledge_epoch {
  using layout = wire::layout<epoch_id, std::uint32_t>;
  static void call(const message::delivery& d, epoch_id id, std::uint32_t count) {
    current_pe->epochs.acknowledged(d.from, id, count);
  }
};

std::string name_of(epoch_id id) {
  const char* const kind = id.in_arena() ? "arena epoch " : "epoch ";
  return kind + std::to_string(id.number & ~epoch_id::arena_bit) + " of PE " + std::to_string(id.opener);
}

}  // namespace

epoch_part::epoch_part(pe& here, epoch_id id, pe_id joined_by)
    : task_group{0, [](task_group& self) noexcept { static_cast<epoch_part&>(self).touch(); }},
      pe_(here),
      id_(id),
      joined_by_(joined_by),
      end_("the end of an epoch", this) {}

void epoch_part::carry(std::unique_ptr<carried_up> what) { carried_ = std::move(what); }

void epoch_part::touch_first() {
  touched_ = true;
  pe_.epochs.touched_.push_back(this);
}

void epoch_part::owe(pe_id to, std::uint32_t count) {
  if (to == pe_.number()) {
    unacknowledged_ -= count;
    return;
  }
  for (std::uint32_t i = 0; i < owed_used_; ++i) {
    if (owed_[i].to != to) continue;
    owed_[i].count += count;
    std::swap(owed_[i], owed_[owed_used_ - 1]);  // where the next one is looked for first
    return;
  }
  if (owed_used_ == std::size(owed_)) acknowledge();
  owed_[owed_used_++] = {to, count};
}

void epoch_part::acknowledge() {
  for (std::uint32_t i = 0; i < owed_used_; ++i) {
    pe_.messages.send<acknowledge_epoch>(owed_[i].to, id_, owed_[i].count);
  }
  owed_used_ = 0;
}

struct epochs::table {
  std::unordered_map<std::uint64_t, std::unique_ptr<epoch_part>> by_word;
};

epochs::epochs(pe& here) : pe_(here), parts_(std::make_unique<table>()) {}

epochs::~epochs() = default;

std::size_t epochs::parts() const { return parts_->by_word.size(); }

epoch_part& epochs::open(epoch_kind kind) {
  auto* const opened_in = static_cast<epoch_part*>(this_task_group);
  const bool within_arena = kind == epoch_kind::plain && opened_in != nullptr && opened_in->id().in_arena();
  const std::uint32_t bit = kind == epoch_kind::arena || within_arena ? epoch_id::arena_bit : 0;
  epoch_id id{pe_.number(), 0};
  do {
    id.number = (++opened_ & ~epoch_id::arena_bit) | bit;
  } while (look(id) != nullptr);  // it has been open for 2^31 others
  epoch_part& root = add(id, no_pe);
  if (within_arena) root.within_ = opened_in;
  return root;
}

void epochs::close(epoch_part& root) { remove(root); }

epoch_part& epochs::join(epoch_id id, pe_id from) {
  require(id.opener != pe_.number() && id.opener >= 0 && id.opener < pe_.count(),
          "PE {} sends a message of {}, which is not open", from, [&] { return name_of(id); });
  return add(id, from);
}

epoch_part& epochs::enter(epoch_id id, pe_id from) {
  epoch_part* part = find(id);
  if (part == nullptr) {
    part = &join(id, from);
  } else {
    part->executed(from, 1);
  }
  part->touch();
  return *part;
}

epoch_part* epochs::look(epoch_id id) {
  const auto found = parts_->by_word.find(id.word());
  if (found == parts_->by_word.end()) return nullptr;
  return last_ = found->second.get();
}

epoch_part& epochs::add(epoch_id id, pe_id joined_by) {
  auto& part = parts_->by_word[id.word()];
  part = std::make_unique<epoch_part>(pe_, id, joined_by);
  return *(last_ = part.get());
}

void epochs::remove(epoch_part& part) {
  if (last_ == &part) last_ = nullptr;
  if (part.touched_) std::erase(touched_, &part);
  parts_->by_word.erase(part.id().word());
}

void epochs::acknowledged(pe_id from, epoch_id id, std::uint32_t count) {
  epoch_part* part = find(id);
  const std::uint64_t sent = part != nullptr ? part->unacknowledged_ : 0;
  require(
      count != 0 && count <= sent, "PE {} acknowledges {} messages of {}, but {} are under way from here", from, count,
      [&] { return name_of(id); }, sent);
  part->unacknowledged_ -= count;
  if (part->could_leave()) part->touch();
}

void epochs::settle_all() {
  settling_.swap(touched_);
  for (epoch_part* part : settling_) {
    part->touched_ = false;
    if (!part->could_leave()) {
      part->acknowledge();
    } else if (part->joined_by_ != no_pe) {
      if (part->carried_ != nullptr) part->carried_->send_to(part->joined_by_);
      part->owe(part->joined_by_, 1);
      part->acknowledge();
      remove(*part);
    } else {
      part->acknowledge();
      part->end_.set_value();
    }
  }
  settling_.clear();
}

}  // namespace tsubu::remote
