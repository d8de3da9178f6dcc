#include "abcl/cpp/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/names.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl::cpp {
namespace {

// "on-put": what its tag, or the types of its elements, say.
std::string method_name(const selector& s) {
  std::string name = "on";
  if (!s.tag.empty()) {
    name += "-" + std::string(s.tag.substr(1));
  } else {
    for (const type* e : s.elements)
      name += "-" + (e->is(type::kind::message) ? std::string("tuple") : spelled(e).substr(0, 24));
  }
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::string_view("() @[]:").find(c) != std::string_view::npos; },
      '-');
  while (name.ends_with('-')) name.pop_back();
  return name == "on" ? "on-empty" : name;
}

}  // namespace

const method* class_plan::find(const type* takes, bool express) const {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const method& m) { return m.takes == takes && m.express == express; });
  return found == methods.end() ? nullptr : &*found;
}

method* class_plan::find(const type* takes, bool express) {
  return const_cast<method*>(std::as_const(*this).find(takes, express));
}

bool by_shape::operator()(const selector* a, const selector* b) const {
  const auto order = a->tag <=> b->tag;
  if (order != 0) return order < 0;
  const auto elements = order_in_cpp(a->elements, b->elements);
  if (elements != 0) return elements < 0;
  if (a->answer == nullptr || b->answer == nullptr) return a->answer == nullptr && b->answer != nullptr;
  return order_in_cpp(a->answer, b->answer) < 0;
}

plan::plan(const program& p, bool for_others)
    : of(p), for_others_(for_others), names_{"body", "me",        "begin",   "object",     "retire", "accept",
                                             "self", "functions", "move_to", "value_type", "sites",  "serialize"} {
  for (const class_def& c : p.classes) {
    class_plan& made = classes.emplace_back();
    made.of = &c;
    made.name = cpp_name(c.name, names_);
    by_class_[&c] = &made;
    by_type_[c.of] = &made;
  }
  for (const function_def& f : p.functions) functions[&f] = cpp_name(f.name, names_);
  for (const class_def& c : p.classes) placed.add(c);
  for (class_plan& c : classes) make_methods(c);
  find_recursive();
  find_senders();
  find_all_once();
}

selector& plan::selector_of(const type* message) {
  selector as;
  as.tag = message->name;
  as.elements = message->parts;
  if (message->wants_reply()) {
    as.answer = message->answer();
    as.elements.pop_back();
  }
  const auto found = by_shape_.find(&as);
  if (found != by_shape_.end()) return **found;
  const std::string name = method_name(as);
  as.method = cpp_name(name, names_);
  as.to = cpp_name(name + "-to", names_);
  as.express = cpp_name(name + "-express", names_);
  as.express_to = cpp_name(name + "-to-express", names_);
  return **by_shape_.insert(&selectors.emplace_back(std::move(as))).first;
}

selector* plan::interface_of_reply(const type* answer) {
  selector* const s = selector_of_reply(answer);
  return s != nullptr && s->by_interface ? s : nullptr;
}

selector* plan::selector_of_reply(const type* answer) {
  const auto& objects = of.types.replied_to_objects();
  const bool may_be_object = std::any_of(objects.begin(), objects.end(), [&](const type* t) {
    return order_in_cpp(t, answer) == 0 && t->name == answer->name;
  });
  if (!may_be_object) return nullptr;
  const type* const message = answer->is(type::kind::message) ? answer : nullptr;
  std::vector<const type*> elements = message != nullptr ? message->parts : std::vector<const type*>{answer};
  const std::string_view tag = message != nullptr ? message->name : std::string_view();
  for (selector& s : selectors) {
    std::vector<const type*> all = elements;
    // Where its reply goes is an object, or a destination.
    if (s.answer != nullptr && (all.empty() || !is_name(all.back()))) continue;
    if (s.answer != nullptr) all.pop_back();
    if (s.tag == tag && order_in_cpp(s.elements, all) == 0) return &s;
  }
  return nullptr;
}

void plan::find_recursive() {
  std::map<const function_def*, std::set<const function_def*>> calls;
  for (const function_def& f : of.functions) {
    for (const expression_ptr& e : f.body) {
      walk(*e, [&](const expression& part) {
        if (const auto* const call = try_as<tree::call>(part)) calls[&f].insert(call->function);
        return true;
      });
    }
  }
  for (const function_def& f : of.functions) {
    std::set<const function_def*> reached;
    std::vector<const function_def*> left{&f};
    while (!left.empty()) {
      const function_def* const from = left.back();
      left.pop_back();
      for (const function_def* to : calls[from]) {
        if (reached.insert(to).second) left.push_back(to);
      }
    }
    if (reached.contains(&f)) recursive.insert(&f);
  }
}

void plan::make_methods(class_plan& c) {
  c.script = c.of->script.get();
  c.foreign = !c.of->cpp.empty();
  c.has_express = has_express_clauses(*c.of);
  const auto add = [&](const type* takes, bool express) {
    method& m = c.methods.emplace_back();
    m.of = &c;
    m.takes = takes;
    m.as = &selector_of(takes);
    m.name = express ? m.as->express : m.as->method;
    m.name_to = express ? m.as->express_to : m.as->to;
    m.express = express;
    m.waits = express;
  };
  for (const type* takes : c.of->interface->parts) {
    add(takes, false);
  }
  if (c.foreign) {
    // They may be tasks, and have no clauses.
    for (method& m : c.methods) {
      m.waits = true;
      m.returns = m.answers();
    }
    return;
  }
  if (c.script != nullptr) {
    for (const clause& each : c.script->clauses) {
      if (each.express && c.find(each.takes, true) == nullptr) add(each.takes, true);
      method& m = *c.find(each.takes, each.express);
      if (m.always) continue;  // never reached
      m.clauses.push_back(&each);
      m.named_destination |= each.takes->wants_reply() && !each.replies;
      m.always |= each.takes_all();
      m.waits |= abcl::waits(each) || (c.has_express && has_loops(each));
    }
  }
  walk(*c.of, [&](const expression& e) {
    if (e.what == op::wait_for) {
      for (const clause& each : as<tree::cases>(e).clauses) {
        method& m = *c.find(each.takes);
        m.in_wait_for = true;
        m.named_destination |= each.takes->wants_reply() && !each.replies;
      }
    }
    return true;
  });
  for (method& m : c.methods) {
    m.returns =
        m.answers() && !m.named_destination && !m.in_wait_for && !m.clauses.empty() &&
        std::all_of(m.clauses.begin(), m.clauses.end(), [](const clause* each) { return replies_at_its_end(*each); });
  }
  c.guarded = c.script != nullptr && may_leave_messages(*c.of);
  for (const expression_ptr& e : c.of->body) c.body_waits |= abcl::waits(*e);
  walk(*c.of, [&](const expression& e) {
    c.ends_itself |= e.what == op::suicide;
    return !c.ends_itself;
  });
  c.once = !for_others_ && !c.has_body() && !c.has_express && !names_itself(*c.of);

  std::set<std::string> members{"waits_for", "express"};
  for (const auto* list : {&c.of->arguments, &c.of->state}) {
    for (const variable* v : *list) {
      std::string name = cpp_name(v->name, members);
      c.members[v] = name + "_";
    }
  }
}

const method* plan::taken_by(const tree::send& e) const {
  const auto known = by_type_.find(e.target->of);
  if (known == by_type_.end() || e.selector == nullptr) return nullptr;
  const class_plan& c = *known->second;
  const method* const express = e.express ? c.find(e.selector, true) : nullptr;
  return express != nullptr ? express : c.find(e.selector);
}

void plan::find_senders() {
  const auto reply_goes_to = [this](const type* answer) {
    if (selector* const s = selector_of_reply(answer)) s->by_interface = true;
  };
  const auto interrupts = [this](const selector& s) {
    return std::any_of(classes.begin(), classes.end(), [&](const class_plan& c) {
      return std::any_of(c.methods.begin(), c.methods.end(), [&](const method& m) { return m.as == &s && m.express; });
    });
  };
  // Whoever says where the reply goes needs the second entry. So does who wants none, and who asks by an express
  // message where no clause is for such: the reply comes into a box.
  walk(of, [&](const expression& e) {
    non_resume |= e.what == op::non_resume;
    const auto* const send = try_as<tree::send>(e);
    if (send == nullptr) return true;
    if (send->target->of->is(type::kind::reply)) {
      reply_goes_to(send->target->of->of());
    } else if (auto* const m = const_cast<method*>(taken_by(*send))) {  // one of ours
      if (e.what != op::now || (send->express && !m->express)) m->to = true;
      if (send->target->what == op::create && m->of->once) m->once = true;
    } else {
      selector& s = selector_of(send->selector);
      (send->express && interrupts(s) ? s.express_by_interface : s.by_interface) = true;
    }
    return true;
  });
  bool grown = true;
  while (grown) {
    grown = false;
    for (class_plan& c : classes) {
      for (method& m : c.methods) {
        const bool to = m.answers() && !m.named_destination && (m.to || m.by_interface() || c.sends_on(m));
        if (to != m.to) grown = m.to = to;
        if (!m.answers() || (!to && !m.named_destination)) continue;
        // What it replies goes to a name, which may be an object's.
        selector* const s = selector_of_reply(m.as->answer);
        if (s != nullptr && !s->by_interface) grown = s->by_interface = true;
      }
    }
  }
  for (class_plan& c : classes) {
    for (method& m : c.methods) m.once &= !m.as->by_interface;
    for (const method& m : c.methods) m.as->interface_waits |= m.waits && !m.express;
  }
}

void plan::find_all_once() {
  std::set<const class_def*> once, known;
  std::set<const expression*> targets;
  walk(of, [&](const expression& e) {
    if (const auto* const send = try_as<tree::send>(e)) {
      const method* const m = taken_by(*send);
      if (m != nullptr && m->once) targets.insert(send->target.get());
    }
    if (const auto* const made = try_as<tree::create>(e)) (targets.contains(&e) ? once : known).insert(made->of_class);
    return true;
  });
  for (class_plan& c : classes) c.all_once = once.contains(c.of) && !known.contains(c.of);
}

}  // namespace abcl::cpp
