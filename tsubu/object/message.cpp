#include "tsubu/object/message.hpp"

#include <string_view>
#include <utility>

#include "tsubu/base/program_text.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/object/watches.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/messages/register_exception.hpp"

namespace tsubu::objects {

namespace {

const bool known = register_exception<object_gone>() && register_exception<broken_duty>();

// The object has ended, or could not be made.
struct reply_gone {
  using layout = wire::layout<std::uint32_t, std::uint32_t, std::string, std::string, std::string>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, const std::string& what,
                   std::string object, std::string method) {
    remote::reply_sink* sink = remote::current_pe->replies.take(d.from, slot, generation, nullptr);
    if (sink != nullptr) sink->error(std::make_exception_ptr(object_gone(what, std::move(object), std::move(method))));
  }
};

std::exception_ptr duty_broken_on(pe_id pe, const std::string& asked) {
  const std::string what = "the duty to reply was dropped" + (asked.empty() ? "" : " (" + asked + ")");
  try {
    throw broken_duty(what, asked);
  } catch (const broken_duty&) {
    remote::error_report report = remote::error_being_handled();
    report.pe = pe;
    return remote::exception_of(report);
  }
}

struct reply_broken {
  using layout = wire::layout<std::uint32_t, std::uint32_t>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation) {
    remote::reply_table& replies = remote::current_pe->replies;
    const wire::handler_entry* const of = replies.asked_of(slot);
    remote::reply_sink* const sink = replies.take(d.from, slot, generation, nullptr);
    if (sink == nullptr) return;
    std::string asked = sink->asked();
    if (asked.empty() && of != nullptr) asked = method_name(of->name);
    sink->error(duty_broken_on(d.from, asked));
  }
};

}  // namespace

void destination::error() const {
  const remote::error_report report = remote::error_being_handled();
  if (pe_ == waits_here) {
    sink_->error(remote::exception_of(report));
  } else {
    remote::send<remote::reply_error>(pe_, slot_, generation_, report);
  }
}

void destination::gone(const object_gone& e) const {
  if (pe_ == waits_here) {
    sink_->error(std::make_exception_ptr(e));
  } else {
    remote::send<reply_gone>(pe_, slot_, generation_, std::string(e.what()), e.object(), e.method());
  }
}

void destination::broken() const {
  if (pe_ == waits_here) {
    sink_->error(duty_broken_on(this_pe(), sink_->asked()));
  } else {
    remote::send<reply_broken>(pe_, slot_, generation_);
  }
}

void break_duty(const destination& to) {
  if (remote::job_goes_on()) to.broken();
}

namespace {

bool ends_by(const method_info& of, object_base& o, const std::exception_ptr& error) {
  return o.tsubu_header.is(object_base::header::watched) && this_space().watchers().take_error(of, o, error);
}

}  // namespace

void escaped(const method_info& of, object_base& o) {
  if (!ends_by(of, o, std::current_exception())) message::this_endpoint->escaped(*of.entry, std::current_exception());
}

void escaped_later(const method_info& of, object_base& o, std::exception_ptr error) {
  if (!ends_by(of, o, error)) this_task_context->on_uncaught(std::move(error));
}

void replied_twice() {
  fail("a reply is given twice, or by a reply_to that has no duty: it was moved from, or never had one");
}

void check_asker(pe_id asker) {
  require(no_pe <= asker && asker < pe_count(), "a packet wants an answer for PE {}, but the job's PEs are 0 to {}",
          asker, pe_count() - 1);
}

bool ends_object(const method_info& of) { return of.method == &method_identity<&object_base::tsubu_end>; }

void no_object_named() {
  fail("a message is sent to a ref that names no object: it was made by default, or moved from");
}

std::string without_anonymous(std::string name) {
  constexpr std::string_view noise = "(anonymous namespace)::";
  for (std::size_t at = name.find(noise); at != std::string::npos; at = name.find(noise)) name.erase(at, noise.size());
  return name;
}

// "counter::add" out of "tsubu::objects::past_method<counter, &counter::add, false>", where the method may stand as
// "(&counter::add)" or "&(counter::add(long))".
std::string method_name(const method_info& of) {
  // As programs call them.
  constexpr std::pair<std::string_view, std::string_view> own[] = {
      {"tsubu_move", "move_to()"},  {"tsubu_status", "status()"},   {"tsubu_end", "end()"},
      {"tsubu_watch", "a monitor"}, {"tsubu_unwatch", "a monitor"}, {"tsubu_is", "ref_cast()"}};
  const std::string name = method_name(of.entry->name);
  for (const auto& [method, known_as] : own) {
    const std::size_t at = name.find(method);
    const char behind = at == std::string::npos || at + method.size() == name.size() ? ' ' : name[at + method.size()];
    if (at != std::string::npos && (behind == ' ' || behind == '<')) return std::string(known_as);
  }
  return name;
}

std::string method_name(const char* mangled) {
  const std::string name = without_anonymous(readable(mangled));
  std::size_t begin = name.find('&');
  if (begin == std::string::npos) return name;
  begin = name.find_first_not_of("&(", begin);
  int depth = 0;
  std::size_t end = begin;
  for (; end < name.size(); ++end) {
    const char c = name[end];
    if (depth == 0 && (c == ',' || c == ')' || c == '(')) break;
    if (c == '<') ++depth;
    if (c == '>' && --depth < 0) break;
  }
  return name.substr(begin, end - begin);
}

void message_queue::push(mail& m) {
  if (last_ == nullptr) {
    m.next = &m;
  } else {
    m.next = last_->next;
    last_->next = &m;
  }
  last_ = &m;
}

void message_queue::push_express(mail& m) {
  mail* const front = first();
  mail* const after = front != nullptr ? front->last_express : nullptr;
  if (after != nullptr) {
    m.next = after->next;
    after->next = &m;
    front->last_express = &m;
    if (after == last_) last_ = &m;
    return;
  }
  m.last_express = &m;
  if (last_ == nullptr) {
    m.next = &m;
    last_ = &m;
  } else {
    m.next = front;
    last_->next = &m;
  }
}

mail& message_queue::pop() {
  mail& m = *last_->next;
  take_after(*last_);
  return m;
}

void message_queue::take_after(mail& before) {
  mail& m = *before.next;
  mail* const front = first();
  if (&m == last_ && &before == &m) {
    last_ = nullptr;
    m.last_express = nullptr;
    return;
  }
  before.next = m.next;
  if (&m == front) {
    if (m.last_express != nullptr && m.last_express != &m) m.next->last_express = m.last_express;
    m.last_express = nullptr;
  } else if (front->last_express == &m) {
    front->last_express = &before;
  }
  if (&m == last_) last_ = &before;
}

std::size_t message_queue::size() const {
  std::size_t n = 0;
  for (const mail* m = first(); m != nullptr; m = m == last_ ? nullptr : m->next) ++n;
  return n;
}

}  // namespace tsubu::objects
