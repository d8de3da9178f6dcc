#include "tsubu/remote/collectives/team.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "tsubu/remote/collectives/collective_steps.hpp"

namespace tsubu {
namespace remote {

// What a member asks of a split.
struct split_wish {
  std::int64_t colour;
  int key;
  pe_id pe;
};

// A team that a split has made.
struct split_group {
  std::int64_t colour;
  std::uint32_t number;
  team_members members;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(colour, number, members);
  }
};

namespace {

// By colour. `all`: in the order of the ranks.
std::vector<split_group> grouped(std::vector<split_wish> all, team_table& numbers) {
  std::stable_sort(all.begin(), all.end(), [](const split_wish& a, const split_wish& b) {
    return std::tie(a.colour, a.key) < std::tie(b.colour, b.key);
  });
  std::vector<split_group> groups;
  for (auto wish = all.begin(); wish != all.end();) {
    const std::int64_t colour = wish->colour;
    std::vector<pe_id> pes;
    for (; wish != all.end() && wish->colour == colour; ++wish) pes.push_back(wish->pe);
    groups.push_back({colour, numbers.next_number(), team_members(std::move(pes))});
  }
  return groups;
}

// What is asked goes up the tree of the ranks to rank 0, which makes the teams; they come down again.
task<team> split_team(team from, std::optional<std::int64_t> colour, int key, std::source_location where) {
  const collective_call call(collective_kind::split, from, where);
  team_table& teams = current_pe->collectives->teams;
  const pe_id me = call.rank(), p = call.size();
  std::vector<split_wish> asked;
  if (colour) asked.push_back({*colour, key, this_pe()});
  collective_step round = 0;
  for (pe_id distance = 1; distance < p && (me & distance) == 0; distance *= 2, ++round) {
    if (me + distance >= p) continue;
    collective_receive<std::vector<split_wish>> from_below(call, round, me + distance);
    const std::vector<split_wish> more = co_await from_below;
    asked.insert(asked.end(), more.begin(), more.end());
  }
  std::vector<split_group> made;
  if (me == 0) {
    made = grouped(std::move(asked), teams);
  } else {
    collective_send(call, round, tree_parent(me), asked);
    collective_receive<std::vector<split_group>> from_above(call, fold_out, tree_parent(me));
    made = co_await from_above;
  }
  for_each_child(me, p, [&](pe_id child) { collective_send(call, fold_out, child, made); });
  if (!colour) co_return team();
  const auto mine = std::lower_bound(made.begin(), made.end(), *colour,
                                     [](const split_group& group, std::int64_t c) { return group.colour < c; });
  require(mine != made.end() && mine->colour == *colour && mine->members.rank_of(this_pe()) != no_pe,
          "a split of {} has made no team for this PE", [&] { return from.name(); });
  co_return team(teams.add_made({call.pe(0), mine->number}, std::move(mine->members)));
}

}  // namespace
}  // namespace remote

pe_id team::pe(pe_id rank) const {
  const remote::team_part& here = part();
  require(
      0 <= rank && rank < here.members.size(), "rank {} of {}, whose ranks are 0 to {}", rank, [&] { return name(); },
      here.members.size() - 1);
  return here.members.pe(rank);
}

std::string team::name() const { return part_ != nullptr ? remote::name_of(part_->id) : "no team"; }

task<team> team::split(remote::team_colour colour, int key, std::source_location where) const {
  return remote::split_team(*this, colour.value(), key, where);
}

void team::no_team() { fail("a team() is used, which has no members: split() gives it to who is in no team"); }

team team::heard_of(remote::team_id id, remote::team_members members) {
  if (id == remote::team_id()) return team();
  return team(remote::current_pe->collectives->teams.add_heard_of(id, std::move(members)));
}

team world() {
  if (remote::current_pe == nullptr) remote::outside_a_job("a collective, everywhere() or world()");
  return team(remote::current_pe->collectives->teams.whole());
}

}  // namespace tsubu
