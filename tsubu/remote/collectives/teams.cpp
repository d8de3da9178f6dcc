#include "tsubu/remote/collectives/teams.hpp"

#include <memory>
#include <unordered_map>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::remote {

std::string name_of(team_id id) {
  if (id == whole_job) return "the whole job";
  return "team " + std::to_string(id.number) + " of PE " + std::to_string(id.maker);
}

struct team_table::table {
  std::unordered_map<std::uint64_t, team_part*> by_key;
};

team_table::team_table(pe_id me, pe_id count) : me_(me), count_(count), parts_(std::make_unique<table>()) {}

team_table::~team_table() {
  if (whole_ != nullptr) {
    whole_->table = nullptr;
    if (--whole_->uses == 0) release(*whole_);
  }
  for (const auto& [unused, part] : parts_->by_key) part->table = nullptr;
}

void team_table::make_whole() { whole_ = new team_part{whole_job, team_members::all(count_), me_, true, 0, 1, this}; }

std::uint32_t team_table::next_number() {
  require(++given_ != 0, "PE {} has made 4294967295 teams, and has no number left for another", me_);
  return given_;
}

team_part& team_table::add_made(team_id id, team_members members) {
  team_part& part = add(id, std::move(members));
  part.counts_calls = true;
  return part;
}

team_part& team_table::add_heard_of(team_id id, team_members members) {
  if (id != whole_job) return add(id, std::move(members));
  check_members(whole(), members);
  return whole();
}

team_part& team_table::add(team_id id, team_members members) {
  require(0 <= id.maker && id.maker < count_ && members.fit(count_), "a message names {}, whose members are no PEs",
          [&] { return name_of(id); });
  team_part*& part = parts_->by_key[key(id)];
  if (part == nullptr) {
    const pe_id rank = members.rank_of(me_);
    part = new team_part{id, std::move(members), rank, false, 0, 0, this};
  } else {
    check_members(*part, members);
  }
  return *part;
}

void team_table::check_members(const team_part& part, const team_members& named) {
  require(part.members == named, "a message names {} with other members than it has", [&] { return name_of(part.id); });
}

std::size_t team_table::size() const { return parts_->by_key.size(); }

const team_part* team_table::find(team_id id) const {
  if (id == whole_job) return whole_;
  const auto found = parts_->by_key.find(key(id));
  return found == parts_->by_key.end() ? nullptr : found->second;
}

void release(team_part& part) {
  if (part.table != nullptr) part.table->parts_->by_key.erase(team_table::key(part.id));
  delete &part;
}

}  // namespace tsubu::remote
