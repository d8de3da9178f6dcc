#include "tsubu/object/early.hpp"

#include <memory>
#include <unordered_map>

namespace tsubu::objects {
namespace {

struct unborn_object final : object_base {
  unborn_object() : object_base(unregistered{}) { tsubu_header.state = header::busy; }
};

}  // namespace

// A name is here from its first early message until its object is made, or cannot be made.
struct early_arrivals::table {
  std::unordered_map<identity, std::unique_ptr<unborn_object>, identity_hash> by_name;
};

early_arrivals::early_arrivals() = default;
early_arrivals::~early_arrivals() = default;

object_base& early_arrivals::stand_in(const identity& id) {
  if (unborn_ == nullptr) unborn_ = std::make_unique<table>();
  std::unique_ptr<unborn_object>& u = unborn_->by_name[id];
  if (u == nullptr) u = std::make_unique<unborn_object>();
  return *u;
}

message_queue early_arrivals::take(const identity& id) {
  if (unborn_ == nullptr) return {};
  const auto at = unborn_->by_name.find(id);
  if (at == unborn_->by_name.end()) return {};
  const message_queue came = at->second->tsubu_header.queue;
  unborn_->by_name.erase(at);
  if (unborn_->by_name.empty()) unborn_.reset();
  return came;
}

const identity* early_arrivals::name_of(const object_base& o) const {
  if (unborn_ == nullptr) return nullptr;
  for (const auto& [id, stand_in] : unborn_->by_name) {
    if (stand_in.get() == &o) return &id;
  }
  return nullptr;
}

}  // namespace tsubu::objects
