#include "tsubu/data/profile/profile.hpp"

#include <utility>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/data/profile/profile_file.hpp"
#include "tsubu/data/space.hpp"
#include "tsubu/remote/added_accounts.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::data {
namespace {

std::int64_t job_ns() { return now_ns() - remote::current_pe->accounts.began_ns(); }

// The time without that of tasks, which have run to here: from any beginning.
std::int64_t without_tasks_ns() { return now_ns() - remote::current_pe->in_tasks_ns(); }

std::string_view without_folders(std::string_view file) { return file.substr(file.find_last_of('/') + 1); }

// What a PE has done with a copy that it still has.
struct told {
  key name;
  std::uint32_t reads;
  std::uint32_t writes;
};

void take_told(pe_id from, const std::vector<told>& all) {
  data_space& s = this_space();
  for (const told& one : all) {
    directory_entry* entry = s.find(one.name, from);
    if (entry != nullptr && entry->watch() != nullptr) profile::note(*entry, from, one.reads, one.writes);
    s.done_with(one.name);
  }
}

// By home.
template <class Wanted>
std::map<pe_id, std::vector<told>> take_untold(Wanted wanted) {
  data_space& s = this_space();
  std::map<pe_id, std::vector<told>> untold;
  s.copies.for_each([&](key name, copy& c) {
    const copy::uses used = c.used();
    if ((used.reads == 0 && used.writes == 0) || !wanted(name)) return;
    untold[s.home_of(name)].push_back({name, used.reads, used.writes});
    c.take_used();
  });
  return untold;
}

// ---- the accounts of the job

void settle() {
  this_space().recorded->settled_ns = job_ns();
  this_space().recorded->end_last_phase();
  for (auto& [home, all] : take_untold([](key) { return true; })) at(home).past<take_told>(this_pe(), std::move(all));
}

std::string give() {
  data_space& s = this_space();
  const auto add = [](directory_entry& entry) {
    if (entry.watch() == nullptr) return;
    if (site* at = entry.watch()->leave_site()) at->add(*entry.watch(), entry.how);
  };
  s.variables.for_each(add);
  for (const auto& part : s.arrays) {
    if (part != nullptr) part->for_each_entry(add);
  }
  return text_of(*s.recorded);
}

void take(const std::vector<std::string>& of_pes) {
  take_texts(this_space().recorded->settings(), this_space().recorded->settled_ns, of_pes,
             this_space().recorded->parts());
}

constexpr remote::added_account account{settle, give, take};

void begin(remote::pe& here) {
  const profile_settings& s = *configured().profile;
  if (here.number() == 0 && !s.file.empty()) check_writable(s);
  remote::add_account(account);
  if (!s.file.empty()) this_space();  // what records is there from the first meeting on
}

constexpr profiler ours{read_known_sites, begin};
[[maybe_unused]] const bool linked = (linked_profiler() = &ours) != nullptr;

}  // namespace

void end_watch(history* watch, protocol how) {
  if (site* at = watch->leave_site()) at->add(*watch, how);
  delete_pooled(watch);
}

run_cost* site::seen(pe_id who, std::uint64_t reads, std::uint64_t writes, std::int64_t from_ns, std::int64_t to_ns) {
  if (reads == 0 && writes == 0) return nullptr;
  use_by_pe& by = by_pe[who];
  by.used.add(reads, writes, from_ns, to_ns);
  return &by.cost;
}

void site::add(history& h, protocol how) {
  h.add(me, me, 0, 0, h.bytes(), how, seen(me, h.home_reads, h.home_writes, h.noted_ns, job_ns()));
  for (std::size_t p = 0; p < compared_protocols; ++p) costs[p] += h.costs()[p];
  spent += h.spent();
  ++present[static_cast<std::size_t>(how)];
}

std::unique_ptr<profile> profile::wanted_here() {
  const auto& settings = configured().profile;
  return settings == nullptr ? nullptr : std::make_unique<profile>(*settings, this_pe());
}

// Null if nothing is to be known of it.
site* profile::find_site(const value_type& t, protocol how, const std::source_location& where, bool array) {
  if (!records(how) && settings_.use == nullptr) return nullptr;
  const auto [found, made] = sites_.try_emplace(
      key_of_site(where.file_name(), where.line(), t.type, array),
      place{std::string(without_folders(where.file_name())), where.line(), readable(t.type), array}, how, me_);
  site& s = found->second;
  if (made && settings_.use != nullptr) {
    s.best = settings_.use->best(s.where);
    s.unknown = !s.best;
  }
  return &s;
}

data::declared profile::declare(const value_type& t, protocol how, const std::source_location& where, bool array,
                                std::uint64_t count) {
  site* s = find_site(t, how, where, array);
  if (s == nullptr) return {how};
  s->count += count;
  if (s->best && how != protocol::accumulate) how = *s->best;
  return {how, s, !settings_.file.empty()};
}

void profile::declare(directory_entry& entry, protocol how, const std::source_location& where) {
  const data::declared as = declare(*entry.type, how, where, false, 1);
  if (as.watched || as.how == protocol::adaptive) entry.set_watch(new_pooled<history>(false, as.at));
  data_space::set_protocol(entry, as.how);
}

data::declared profile::declare_array(const value_type& t, protocol how, const std::source_location& where,
                                      std::uint64_t elements) {
  return declare(t, how, where, true, elements);
}

void profile::note(directory_entry& entry, pe_id who, std::uint32_t reads, std::uint32_t writes) {
  history& h = *entry.watch();
  const pe_id me = this_pe();
  run_cost *of_home = nullptr, *of_who = nullptr;
  if (site* at = h.declared_at()) {
    const std::int64_t since_ns = std::exchange(h.noted_ns, job_ns());
    of_home = at->seen(me, h.home_reads, h.home_writes, since_ns, h.noted_ns);
    of_who = at->seen(who, reads, writes, reads + writes > 1 ? since_ns : h.noted_ns, h.noted_ns);
  }
  h.add(me, who, reads, writes, entry.type->bytes(entry), entry.how, of_home, of_who);
}

profile::profile(const profile_settings& settings, pe_id me) : settings_(settings), me_(me) {
  remote::current_pe->time_tasks();
  if (settings_.file.empty()) return;
  remote::current_pe->collectives->watcher = this;
  go_on();
}

profile::~profile() {
  if (remote::current_pe != nullptr && remote::current_pe->collectives->watcher == this)
    remote::current_pe->collectives->watcher = nullptr;
}

// Tasks that wait at a time share it.
void profile::account_waits() {
  const std::int64_t until_ns = without_tasks_ns();
  const std::int64_t passed_ns = until_ns - std::exchange(accounted_ns_, until_ns);
  const int all = waits_[0] + waits_[1];
  if (all == 0) return;
  const std::int64_t of_reads = passed_ns * waits_[0] / all;
  waited_ns_[0] += of_reads;
  waited_ns_[1] += passed_ns - of_reads;
}

void profile::begin_wait(wait_kind what) {
  account_waits();
  alone_since_ns_ = waits_[0] + waits_[1] == 0 ? now_ns() : 0;
  ++waits_[static_cast<std::size_t>(what)];
}

void profile::end_wait(wait_kind what, bool from_another) {
  account_waits();
  --waits_[static_cast<std::size_t>(what)];
  if (const std::int64_t since_ns = std::exchange(alone_since_ns_, 0); from_another && since_ns != 0) {
    const std::int64_t took_ns = now_ns() - since_ns;
    if (shortest_wait_ns_ == 0 || took_ns < shortest_wait_ns_) shortest_wait_ns_ = took_ns;
  }
}

void profile::end_phase(std::uint32_t kind, bool idle_too) {
  account_waits();
  const waited waited_here = {waited_ns_[0] - phase_since_waited_ns_[0], waited_ns_[1] - phase_since_waited_ns_[1]};
  const std::int64_t idle_ns = without_tasks_ns() - phase_since_without_tasks_ns_ - waited_here[0] - waited_here[1];
  const std::int64_t span_ns = now_ns() - phase_since_ns_;
  phases_.add(idle_too ? span_ns : span_ns - idle_ns, waited_here, idle_too ? idle_ns : 0, kind);
}

void profile::arrive(std::uint32_t kind) {
  if (at_meetings_++ == 0) end_phase(kind, true);
}

void profile::go_on() {
  if (at_meetings_ > 0 && --at_meetings_ > 0) return;
  account_waits();
  phase_since_ns_ = now_ns();
  phase_since_without_tasks_ns_ = without_tasks_ns();
  phase_since_waited_ns_ = waited_ns_;
}

// At its end a PE has nothing to do until all have ended.
void profile::end_last_phase() {
  if (at_meetings_ == 0) end_phase(0, false);
}

task<void> tell_reads_of_array(std::uint32_t array) {
  auto untold = take_untold([array](key name) { return name.is_element() && name.array() == array; });
  for (auto& [home, all] : untold) co_await at(home).now<take_told>(this_pe(), std::move(all));
}

}  // namespace tsubu::data
