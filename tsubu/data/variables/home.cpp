#include "tsubu/data/variables/home.hpp"

#include <fmt/format.h>

#include "tsubu/base/program_text.hpp"
#include "tsubu/data/arrays/loans.hpp"
#include "tsubu/data/variables/packets.hpp"

namespace tsubu::data {

void home::admit(directory_entry& r, request& q) {
  q.group_ = this_task_group;
  if (q.group_ != nullptr) ++q.group_->waiting;
  if (request* last = r.waiting()) {
    q.next_ = last->next_;
    last->next_ = &q;
    r.set_waiting(&q);
    return;
  }
  q.next_ = &q;
  r.set_waiting(&q);
  proceed(r);
}

bool home::have_block(directory_entry& r) {
  if (r.in_block == 0) return true;
  block_store::block& b = block_of(r);
  if (b.loan != 0) {
    this_space().lent->fetch(b, r.name);
    return false;
  }
  ++b.under_way;
  return true;
}

void home::clear_the_way(directory_entry& r, request& q) {
  r.begun = 1;
  accept(r, q);
  if (r.owner != no_pe) {
    r.acks_left = 1;
    r.type->recall(r, !q.writes() && r.how != protocol::mobile);
  } else if (q.writes() && !r.sharers.empty()) {
    r.acks_left = r.sharers.size() & directory_entry::most_acks;
    const bool value_follows = r.how == protocol::update && q.what() == request::kind::write;
    r.sharers.for_each([&](pe_id pe) { remote::send<invalidate>(pe, r.name, value_follows); });
  }
}

void home::proceed(directory_entry& r) {
  while (r.waiting() != nullptr) {
    request& first = *r.waiting()->next_;
    const task_group_scope inside(first.group_);
    if (r.begun == 0) {
      if (!have_block(r)) return;
      clear_the_way(r, first);
    }
    if (r.acks_left != 0) return;
    const bool ends = first.what() == request::kind::end;
    first.run(r);  // it is still the first: what it causes here waits behind it
    if (!ends) {
      r.begun = 0;
      if (r.in_block != 0) --block_of(r).under_way;
      take_out_first(r);
    }
    leave_group(first);
    first.discard();
    if (ends) return;
  }
}

void home::leave_group(request& q) {
  if (q.group_ != nullptr && --q.group_->waiting == 0) q.group_->settled(*q.group_);
}

grant home::settle(directory_entry& r, const request& q, bool can_keep) {
  const pe_id from = q.from_;
  if (q.writes()) {
    if (r.how == protocol::update && q.what() == request::kind::write) {
      r.sharers.for_each([&](pe_id pe) { r.type->push(r, pe); });
    } else {
      r.sharers.clear();
    }
  }
  if (from == this_pe() || !can_keep) return grant::nothing;
  switch (r.how) {
    case protocol::global:
    case protocol::accumulate:
    case protocol::adaptive:  // never
      break;
    case protocol::mobile:
      r.owner = from;
      return grant::modified;
    case protocol::update:
      if (q.writes() && !q.had_copy_) break;
      r.sharers.insert(from);
      return grant::shared;
    case protocol::invalidate:
      if (q.writes()) {
        r.owner = from;
        return grant::modified;
      }
      r.sharers.insert(from);
      return grant::shared;
  }
  return grant::nothing;
}

void home::acknowledged(directory_entry& r, pe_id from) {
  require(r.begun != 0 && r.acks_left != 0 && r.owner == no_pe && r.sharers.contains(from),
          "PE {} says that it has invalidated a copy of {}, and was not asked", from,
          [&] { return describe(r.name, r.type->type); });
  if (--r.acks_left == 0) proceed(r);
}

void home::written_back(directory_entry& r, pe_id from, bool left_a_copy) {
  r.owner = no_pe;
  if (left_a_copy) r.sharers.insert(from);
  r.acks_left = 0;
  proceed(r);
}

void home::refuse_all(directory_entry& r) {
  request* last = r.waiting();
  if (last == nullptr) return;
  request* each = last->next_->next_;  // behind the one that is being done
  const request* first = last->next_;
  while (each != first) {
    request* next = each->next_;
    refuse(r, *each);
    each = next;
  }
}

void home::refuse_waiting(directory_entry& r) {
  r.begun = 0;
  while (request* last = r.waiting()) {
    request& first = *last->next_;
    take_out_first(r);
    refuse(r, first);
  }
}

void home::refuse(const directory_entry& r, request& q) {
  const task_group_scope inside(q.group_);
  q.refuse(r.name);
  leave_group(q);
  q.discard();
}

void home::take_out_first(directory_entry& r) {
  request* const last = r.waiting();
  request* const first = last->next_;
  if (first == last) {
    r.set_waiting(nullptr);
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
