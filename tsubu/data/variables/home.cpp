#include "tsubu/data/variables/home.hpp"

#include <fmt/format.h>

#include "tsubu/base/program_text.hpp"
#include "tsubu/data/arrays/loans.hpp"
#include "tsubu/data/variables/packets.hpp"

namespace tsubu::data {

void home::admit(directory_entry& entry, request& q) {
  q.group_ = this_task_group;
  if (q.group_ != nullptr) ++q.group_->waiting;
  if (request* last = entry.waiting()) {
    q.next_ = last->next_;
    last->next_ = &q;
    entry.set_waiting(&q);
    return;
  }
  q.next_ = &q;
  entry.set_waiting(&q);
  proceed(entry);
}

bool home::have_block(directory_entry& entry) {
  if (entry.in_block == 0) return true;
  block_store::block& b = block_of(entry);
  if (b.loan != 0) {
    this_space().lent->fetch(b, entry.name);
    return false;
  }
  ++b.under_way;
  return true;
}

void home::clear_the_way(directory_entry& entry, request& q) {
  entry.busy = 1;
  accept(entry, q);
  if (entry.owner != no_pe) {
    entry.answers_left = 1;
    entry.type->recall(entry, !q.writes() && entry.how != protocol::mobile);
  } else if (q.writes() && !entry.sharers.empty()) {
    entry.answers_left = entry.sharers.size() & directory_entry::most_answers;
    const bool value_follows = entry.how == protocol::update && q.what() == request::kind::write;
    entry.sharers.for_each([&](pe_id pe) { remote::send<invalidate>(pe, entry.name, value_follows); });
  }
}

void home::proceed(directory_entry& entry) {
  while (entry.waiting() != nullptr) {
    request& first = *entry.waiting()->next_;
    const task_group_scope inside(first.group_);
    if (entry.busy == 0) {
      if (!have_block(entry)) return;
      clear_the_way(entry, first);
    }
    if (entry.answers_left != 0) return;
    const bool ends = first.what() == request::kind::end;
    first.run(entry);  // it is still the first: what it causes here waits behind it
    if (!ends) {
      entry.busy = 0;
      if (entry.in_block != 0) --block_of(entry).under_way;
      take_out_first(entry);
    }
    leave_group(first);
    first.discard();
    if (ends) return;
  }
}

void home::leave_group(request& q) {
  if (q.group_ != nullptr && --q.group_->waiting == 0) q.group_->settled(*q.group_);
}

grant home::conclude(directory_entry& entry, const request& q, bool can_keep) {
  const pe_id from = q.from_;
  if (q.writes()) {
    if (entry.how == protocol::update && q.what() == request::kind::write) {
      entry.sharers.for_each([&](pe_id pe) { entry.type->push(entry, pe); });
    } else {
      entry.sharers.clear();
    }
  }
  if (from == this_pe() || !can_keep) return grant::nothing;
  switch (entry.how) {
    case protocol::global:
    case protocol::accumulate:
    case protocol::adaptive:  // never
      break;
    case protocol::mobile:
      entry.owner = from;
      return grant::modified;
    case protocol::update:
      if (q.writes() && !q.had_copy_) break;
      entry.sharers.insert(from);
      return grant::shared;
    case protocol::invalidate:
      if (q.writes()) {
        entry.owner = from;
        return grant::modified;
      }
      entry.sharers.insert(from);
      return grant::shared;
  }
  return grant::nothing;
}

void home::acknowledged(directory_entry& entry, pe_id from) {
  require(entry.busy != 0 && entry.answers_left != 0 && entry.owner == no_pe && entry.sharers.contains(from),
          "PE {} says that it has invalidated a copy of {}, and was not asked", from,
          [&] { return describe(entry.name, entry.type->type); });
  if (--entry.answers_left == 0) proceed(entry);
}

void home::written_back(directory_entry& entry, pe_id from, bool left_a_copy) {
  entry.owner = no_pe;
  if (left_a_copy) entry.sharers.insert(from);
  entry.answers_left = 0;
  proceed(entry);
}

void home::refuse_all(directory_entry& entry) {
  request* last = entry.waiting();
  if (last == nullptr) return;
  request* each = last->next_->next_;  // behind the one that is being done
  const request* first = last->next_;
  while (each != first) {
    request* next = each->next_;
    refuse(entry, *each);
    each = next;
  }
}

void home::refuse_waiting(directory_entry& entry) {
  entry.busy = 0;
  while (request* last = entry.waiting()) {
    request& first = *last->next_;
    take_out_first(entry);
    refuse(entry, first);
  }
}

void home::refuse(const directory_entry& entry, request& q) {
  const task_group_scope inside(q.group_);
  q.refuse(entry.name);
  leave_group(q);
  q.discard();
}

void home::take_out_first(directory_entry& entry) {
  request* const last = entry.waiting();
  request* const first = last->next_;
  if (first == last) {
    entry.set_waiting(nullptr);
  } else {
    last->next_ = first->next_;
  }
}

std::string describe(key name) {
  return name.is_element() ? fmt::format("element {} of shared array {}", name.index(), name.array())
                           : fmt::format("shared variable {} of PE {}", name.slot(), name.home());
}

std::string describe(key name, const std::type_info& type) { return describe(name) + " (" + readable(type) + ")"; }

}  // namespace tsubu::data
