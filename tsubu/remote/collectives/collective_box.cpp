#include "tsubu/remote/collectives/collective_box.hpp"

#include <algorithm>
#include <iterator>

#include "tsubu/base/program_text.hpp"
#include "tsubu/base/random.hpp"

namespace tsubu::remote {
namespace {

constexpr const char* names[] = {"barrier", "broadcast",  "reduce",     "all_reduce", "scan",
                                 "gather",  "all_to_all", "all_gather", "split",      "epoch"};

const char* name_of(std::uint32_t kind) { return kind < std::size(names) ? names[kind] : "an unknown collective"; }

bool has_root(std::uint32_t kind) {
  const auto k = static_cast<collective_kind>(kind);
  return k == collective_kind::broadcast || k == collective_kind::reduce || k == collective_kind::gather;
}

// Whether each member waits for all. What an epoch's body does is within its call, so that is none.
bool is_meeting(std::uint32_t kind) {
  switch (static_cast<collective_kind>(kind)) {
    case collective_kind::barrier:
    case collective_kind::all_reduce:
    case collective_kind::all_to_all:
    case collective_kind::all_gather:
    case collective_kind::split:
      return true;
    default:
      return false;
  }
}

bool has_value(std::uint32_t kind) {
  const auto k = static_cast<collective_kind>(kind);
  return k != collective_kind::barrier && k != collective_kind::split && k != collective_kind::epoch;
}

// Behind "number 3", or "broadcast": nothing for the whole job.
std::string of_team(team_id team) { return team == whole_job ? "" : " of " + name_of(team); }

bool of_one_step(const collective_head& a, const collective_head& b) {
  return a.call == b.call && a.step == b.step && a.team == b.team;
}

// "all_reduce of int at main.cpp:12"
std::string text_of(const collective_box::described& d) {
  std::string text = name_of(d.head.kind);
  if (has_value(d.head.kind)) text += " of " + readable(*d.called);
  if (has_root(d.head.kind)) text += " with root " + std::to_string(d.head.root);
  return text + " at " + text_at(d.head.file) + ':' + std::to_string(d.head.line);
}

bool agree(const collective_box::described& a, const collective_box::described& b) {
  return a.head.kind == b.head.kind && a.head.root == b.head.root && a.head.operation == b.head.operation &&
         *a.type == *b.type && *a.called == *b.called;
}

// Takes out the first of a list that is for the same step, from the same PE.
template <class Node>
Node* take(Node*& first, const collective_box::described& like) {
  for (Node** at = &first; *at != nullptr; at = &(*at)->next) {
    Node* found = *at;
    if (found->from != like.from || !of_one_step(found->head, like.head)) continue;
    *at = found->next;
    return found;
  }
  return nullptr;
}

}  // namespace

const char* name_of(collective_algorithm way) {
  constexpr const char* ways[] = {"all_reduce by doubling", "all_reduce on one",   "all_reduce in halves",
                                  "broadcast down a tree",  "broadcast in pieces", "gather straight",
                                  "gather riding",          "all_gather straight", "all_gather on one",
                                  "all_gather riding",      "all_to_all straight", "all_to_all riding"};
  static_assert(std::size(ways) == collective_algorithms);
  return ways[static_cast<std::size_t>(way)];
}

// FNV-1a: Fowler, Noll, Vo.
std::uint32_t operation_number(const char* type, const void* function) {
  std::uint32_t hash = 2166136261U;
  for (; *type != 0; ++type) hash = (hash ^ static_cast<unsigned char>(*type)) * 16777619U;
  return hash ^ static_cast<std::uint32_t>(program_offset(function));
}

collective_call::collective_call(collective_kind kind, const team& members, std::source_location where, pe_id root,
                                 std::uint32_t operation)
    : team_(members.part()),
      head_{team_.id,
            ++members.part().calls,
            operation,
            root,
            program_offset(where.file_name()),
            where.line() & 0xfffffU,
            static_cast<std::uint32_t>(kind) & 0xfU,
            0},
      where_(where) {
  if (team_.table != &current_pe->collectives->teams) [[unlikely]]
    fail(std::string(name()) + of_team(head_.team) + " by a team value of another PE, or of a job that has ended",
         where);
  require(
      0 <= root && root < size(), "{} with root {}, but {} 0 to {}", name(), root,
      [&] { return head_.team == whole_job ? "the job's PEs are" : "the ranks of " + name_of(head_.team) + " are"; },
      size() - 1);
  if (!team_.counts_calls) [[unlikely]]
    fail_uncounted();
  if (current_pe->collectives->watcher != nullptr) [[unlikely]]
    tell_begin();
}

void collective_call::tell_begin() {
  watched_ = head_.team == whole_job && is_meeting(head_.kind);
  if (watched_) current_pe->collectives->watcher->arrive(head_.kind);
}

// A task that is destroyed in the midst of a collective, at the end of a job that failed, has nobody to tell.
void collective_call::tell_end() const {
  if (current_pe != nullptr && current_pe->collectives->watcher != nullptr) current_pe->collectives->watcher->go_on();
}

void collective_call::fail_uncounted() const {
  fail(std::string(name()) + of_team(head_.team) +
           (rank() == no_pe
                ? ", of which this PE is no member"
                : ", of which this PE has no team that split() gave it: it has let that go, or not yet got it"),
       where_);
}

const char* collective_call::name() const { return name_of(head_.kind); }

collective_box::collective_box(pe_id me, pe_id count) : teams(me, count) {}

collective_box::~collective_box() {
  for (packet* first : chains_) {
    while (first != nullptr) delete std::exchange(first, first->next);
  }
}

collective_box::packet*& collective_box::chain_of(const described& d) {
  const auto bits = [](auto number) { return std::uint64_t{static_cast<std::uint32_t>(number)}; };
  const std::uint64_t whose = detail::mix_bits(bits(d.head.team.maker) << 32 | d.head.team.number);
  const std::uint64_t which = bits(d.head.call) << 32 | (bits(d.from) ^ bits(d.head.step) << 24);
  return chains_[detail::mix_bits(whose ^ which) & (chains_.size() - 1)];
}

void collective_box::add_packet(packet* arrived) {
  if (packets_ == chains_.size()) lengthen();
  packet*& first = chain_of(*arrived);
  arrived->next = std::exchange(first, arrived);
  arrived->number = packets_so_far_++;
  ++packets_;
}

void collective_box::lengthen() {
  const std::vector<packet*> before = std::exchange(chains_, std::vector<packet*>(2 * chains_.size()));
  for (packet* p : before) {
    while (p != nullptr) {
      packet*& first = chain_of(*p);
      packet* const next = std::exchange(p->next, first);
      first = std::exchange(p, next);
    }
  }
}

void collective_box::fail_mixed(const described& theirs, const described& mine) const {
  const std::string pe = "PE " + std::to_string(theirs.from);
  const bool alike =
      theirs.head.kind == mine.head.kind && *theirs.called == *mine.called && theirs.head.root == mine.head.root;
  const bool other_operation = theirs.head.operation != mine.head.operation;
  end_job(exit_code::failed, "tsubu: PE " + std::to_string(current_pe->number()) + ": " + pe +
                                 " and this one call different collectives as their number " +
                                 std::to_string(mine.head.call) + of_team(mine.head.team) + ": " + pe + " calls " +
                                 text_of(theirs) + ", and this one " + text_of(mine) +
                                 (!alike            ? ""
                                  : other_operation ? "; their operations differ"
                                                    : "; the sizes of their values differ"));
}

collective_box::packet* collective_box::take_packet(const described& awaited) {
  packet* const found = take(chain_of(awaited), awaited);
  if (found == nullptr) return nullptr;
  --packets_;
  if (!agree(*found, awaited)) fail_mixed(*found, awaited);
  return found;
}

collective_box::waiter* collective_box::take_waiter(const described& arrived) {
  waiter* const found = take(waiters_, arrived);
  if (found != nullptr && !agree(*found, arrived)) fail_mixed(arrived, *found);
  return found;
}

const element_place* collective_box::place_for(const described& arriving, std::size_t bytes) const {
  for (const waiter* w = waiters_; w != nullptr; w = w->next) {
    if (w->from == arriving.from && of_one_step(w->head, arriving.head) && agree(*w, arriving))
      return w->place.begin != nullptr && w->place.bytes == bytes ? &w->place : nullptr;
  }
  return nullptr;
}

void collective_box::add_landing(detail::owned<landing> l) { landings_.push_back(std::move(l)); }

detail::owned<collective_box::landing> collective_box::take_landing(const std::byte* begin) {
  const auto found =
      std::ranges::find_if(landings_, [begin](const detail::owned<landing>& l) { return l->begin == begin; });
  require(found != landings_.end(), "a bulk of a collective has landed where none was expected");
  detail::owned<landing> landed = std::move(*found);
  landings_.erase(found);
  return landed;
}

void collective_box::remove_waiter(waiter& w) { take(waiters_, w); }

std::vector<std::string> collective_box::unasked(std::size_t most) const {
  std::vector<const packet*> oldest_first;
  for (const packet* p : chains_) {
    for (; p != nullptr; p = p->next) oldest_first.push_back(p);
  }
  std::ranges::sort(oldest_first, {}, &packet::number);
  std::vector<std::string> lines;
  for (const packet* const p : oldest_first) {
    if (lines.size() == most) {
      lines.push_back("and " + std::to_string(oldest_first.size() - most) + " like these");
      break;
    }
    const team_part* team = teams.find(p->head.team);
    const bool held = team != nullptr || p->head.team == whole_job;
    lines.push_back("PE " + std::to_string(p->from) + " has called " + text_of(*p) + ", its collective number " +
                    std::to_string(p->head.call) + of_team(p->head.team) +
                    (held ? ", and this PE " + std::to_string(team != nullptr ? team->calls : 0) + " in all"
                          : ", which this PE does not hold"));
  }
  return lines;
}

std::string collective_box::describe(const void* awaited) const {
  for (const waiter* w = waiters_; w != nullptr; w = w->next) {
    if (w != awaited) continue;
    std::string text;
    if (has_root(w->head.kind)) text += "root " + std::to_string(w->head.root);
    if (w->head.team != whole_job) text += (text.empty() ? "" : " of ") + name_of(w->head.team);
    return text;
  }
  return "";
}

void collective_box::check_none_unasked() const {
  if (packets_ == 0) return;
  end_job(exit_code::failed, "tsubu: PE " + std::to_string(current_pe->number()) +
                                 ": the job ends in the midst of a collective: " + unasked(1).front());
}

}  // namespace tsubu::remote
