#include "abcl/check/analysis.hpp"

#include <algorithm>

namespace abcl {

void walk(const clause& c, const std::function<bool(const expression&)>& f) {
  for (const pattern_element& p : c.pattern) {
    if (p.literal != nullptr) walk(*p.literal, f);
  }
  if (c.guard != nullptr) walk(*c.guard, f);
  for (const expression_ptr& e : c.body) walk(*e, f);
}

void walk(const expression& e, const std::function<bool(const expression&)>& f) {
  if (!f(e)) return;
  for (const expression_ptr& part : e.parts) {
    if (part != nullptr) walk(*part, f);
  }
  for (const clause& c : e.clauses) walk(c, f);
}

void walk(const class_def& c, const std::function<bool(const expression&)>& f) {
  for (const expression_ptr& e : c.initial) {
    if (e != nullptr) walk(*e, f);
  }
  for (const expression_ptr& e : c.body) walk(*e, f);
}

void walk(const program& p, const std::function<bool(const expression&)>& f) {
  for (const class_def& c : p.classes) walk(c, f);
  for (const function_def& each : p.functions) {
    for (const expression_ptr& e : each.body) walk(*e, f);
  }
}

namespace {

bool waits_itself(const expression& e) {
  switch (e.what) {
    case op::now:
    case op::sync:
    case op::sync2:
    case op::sync_all:
    case op::wait_for:
    case op::touch:
    case op::next_value:
      return true;
    case op::library:
      return e.of_library->waits;
    default:
      return false;
  }
}

bool acts_itself(const expression& e) {
  switch (e.what) {
    case op::past:
    case op::future:
    case op::reply:
    case op::create:
    case op::destination:
    case op::assign:
    case op::print:
    case op::expect:
    case op::exit:
    case op::suicide:
    case op::non_resume:
    case op::make_future:
    case op::make_array:
      return true;
    case op::call:
      return e.of_function->acts;
    case op::library:
      return e.of_library->acts;
    default:
      return waits_itself(e);
  }
}

bool any(const expression& e, bool (*holds)(const expression&)) {
  bool found = false;
  walk(e, [&](const expression& each) {
    found |= holds(each);
    return !found;
  });
  return found;
}

}  // namespace

bool waits(const expression& e) { return any(e, waits_itself); }

bool waits(const clause& c) {
  return std::any_of(c.body.begin(), c.body.end(), [](const expression_ptr& e) { return waits(*e); });
}

void find_effects(program& p) {
  // An assignment to a variable of the function stays in it; one to an element of an array does not.
  const auto acts = [](const expression& e) {
    if (e.what == op::assign) return e.parts[0]->what == op::element;
    return e.what == op::print || e.what == op::expect || (e.what == op::call && e.of_function->acts) ||
           (e.what == op::library && e.of_library->acts);
  };
  const auto looks_outside = [](const expression& e) {
    return (e.what == op::library && e.of_library->acts) || (e.what == op::call && e.of_function->looks_outside);
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (function_def& f : p.functions) {
      const bool acted = f.acts, looked = f.looks_outside;
      if (acted && looked) continue;
      for (const expression_ptr& e : f.body) {
        walk(*e, [&](const expression& each) {
          f.acts |= acts(each);
          f.looks_outside |= looks_outside(each);
          return true;
        });
      }
      grown |= f.acts != acted || f.looks_outside != looked;
    }
  }
}

bool may_end_itself(const clause& c) {
  bool found = false;
  walk(c, [&](const expression& e) {
    found |= e.what == op::suicide;
    return !found;
  });
  return found;
}

bool has_loops(const clause& c) {
  bool found = false;
  walk(c, [&](const expression& e) {
    found |= e.what == op::loop || e.what == op::count;
    return !found;
  });
  return found;
}

bool has_effects(const expression& e) { return any(e, acts_itself); }

bool is_constant(const expression& e) {
  switch (e.what) {
    case op::integer:
    case op::real:
    case op::text:
    case op::boolean:
    case op::nil:
    case op::me:
    case op::my_node:
    case op::node_count:
      return true;
    case op::use:
      return !e.var->may_be_assigned();
    default:
      return false;
  }
}

bool replies(const expression& e) {
  bool found = false;
  walk(e, [&](const expression& each) {
    found |= each.what == op::reply;
    return !found && each.what != op::wait_for;
  });
  // A clause of `wait-for` with `=>` leaves `!` to the clause around it.
  if (!found) {
    walk(e, [&](const expression& each) {
      if (each.what == op::wait_for) {
        for (const clause& c : each.clauses) {
          if (c.replies) continue;
          found |= std::any_of(c.body.begin(), c.body.end(), [](const expression_ptr& b) { return replies(*b); });
        }
      }
      return !found;
    });
  }
  return found;
}

bool ends_with_reply(const std::vector<expression_ptr>& body) {
  if (body.empty() || !ends_with_reply(*body.back())) return false;
  return std::none_of(body.begin(), body.end() - 1, [](const expression_ptr& e) { return replies(*e); });
}

bool ends_with_reply(const expression& e) {
  switch (e.what) {
    case op::reply:
      return !replies(*e.parts[0]);
    case op::exit:
      return !replies(*e.parts[0]);
    case op::choose:
      return e.parts.size() == 3 && !replies(*e.parts[0]) && ends_with_reply(*e.parts[1]) &&
             ends_with_reply(*e.parts[2]);
    case op::sequence:
      return ends_with_reply(e.parts);
    case op::let: {
      const std::size_t variables = e.vars.size();
      for (std::size_t i = 0; i + 1 < e.parts.size(); ++i) {
        if (e.parts[i] != nullptr && replies(*e.parts[i])) return false;
      }
      return e.parts.size() > variables && ends_with_reply(*e.parts.back());
    }
    case op::match:
      return !replies(*e.parts[0]) &&
             std::all_of(e.clauses.begin(), e.clauses.end(), [](const clause& c) { return ends_with_reply(c.body); });
    default:
      return false;
  }
}

bool is_test(const class_def& c) { return c.name.starts_with("Test") && c.arguments.empty(); }

bool names_itself(const class_def& c) {
  bool found = false;
  walk(c, [&](const expression& e) {
    found |= e.what == op::me;
    return !found;
  });
  return found;
}

const expression* script_of(const class_def& c) {
  return !c.body.empty() && c.body.back()->what == op::script ? c.body.back().get() : nullptr;
}

}  // namespace abcl
