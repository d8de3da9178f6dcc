#include "tsubu/data/home.hpp"

#include <fmt/format.h>

#include "tsubu/base/program_text.hpp"
#include "tsubu/data/packets.hpp"

namespace tsubu::data {

void home::admit(record& r, request& q) {
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

bool home::have_block(record& r) {
  if (r.in_block == 0) return true;
  block_store::block& b = block_of(r);
  if (b.loan != 0) {
    this_space().lent.fetch(b, r.name);
    return false;
  }
  ++b.under_way;
  return true;
}

void home::clear_the_way(record& r, request& q) {
  r.begun = 1;
  accept(r, q);
  if (r.owner != no_pe) {
    r.answers_left = 1;
    r.type->recall(r, !q.writes() && r.how != protocol::mobile);
  } else if (q.writes() && !r.copies.empty()) {
    r.answers_left = r.copies.size() & record::most_answers;
    const bool value_follows = r.how == protocol::update && q.what() == request::kind::write;
    r.copies.for_each([&](pe_id pe) { remote::send<put_out_of_use>(pe, r.name, value_follows); });
  }
}

void home::proceed(record& r) {
  while (r.waiting() != nullptr) {
    request& first = *r.waiting()->next_;
    const task_group_scope inside(first.group_);
    if (r.begun == 0) {
      if (!have_block(r)) return;
      clear_the_way(r, first);
    }
    if (r.answers_left != 0) return;
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

grant home::settle(record& r, const request& q, bool can_keep) {
  const pe_id from = q.from_;
  if (q.writes()) {
    if (r.how == protocol::update && q.what() == request::kind::write) {
      r.copies.for_each([&](pe_id pe) { r.type->push(r, pe); });
    } else {
      r.copies.clear();
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
      return grant::only;
    case protocol::update:
      if (q.writes() && !q.had_copy_) break;
      r.copies.insert(from);
      return grant::copy;
    case protocol::invalidate:
      if (q.writes()) {
        r.owner = from;
        return grant::only;
      }
      r.copies.insert(from);
      return grant::copy;
  }
  return grant::nothing;
}

void home::copy_out_of_use(record& r, pe_id from) {
  require(r.begun != 0 && r.answers_left != 0 && r.owner == no_pe && r.copies.contains(from),
          "PE {} says that it has put a copy of {} out of use, and was not asked", from,
          [&] { return describe(r.name, r.type->type); });
  if (--r.answers_left == 0) proceed(r);
}

void home::value_returned(record& r, pe_id from, bool left_a_copy) {
  r.owner = no_pe;
  if (left_a_copy) r.copies.insert(from);
  r.answers_left = 0;
  proceed(r);
}

void home::refuse_all(record& r) {
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

void home::refuse_waiting(record& r) {
  r.begun = 0;
  while (request* last = r.waiting()) {
    request& first = *last->next_;
    take_out_first(r);
    refuse(r, first);
  }
}

void home::refuse(const record& r, request& q) {
  const task_group_scope inside(q.group_);
  q.refuse(r.name);
  leave_group(q);
  q.discard();
}

void home::take_out_first(record& r) {
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
