#include "abcl/check/analysis.hpp"

#include <algorithm>

namespace abcl {

void walk(const expression& e, const std::function<bool(const expression&)>& f) {
  if (f(e)) e.each_part([&](const expression& part) { walk(part, f); });
}

void walk(const clause& c, const std::function<bool(const expression&)>& f) {
  c.each_part([&](const expression& part) { walk(part, f); });
}

void walk(const class_def& c, const std::function<bool(const expression&)>& f) {
  for (const expression_ptr& e : c.initial) {
    if (e != nullptr) walk(*e, f);
  }
  for (const expression_ptr& e : c.body) walk(*e, f);
  if (c.script != nullptr) walk(*c.script, f);
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
      return as<tree::library_call>(e).function->waits;
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
    case op::leave_loop:
    case op::make_future:
    case op::make_array:
    case op::subarray:
      return true;
    case op::call:
      return as<tree::call>(e).function->acts;
    case op::library:
      return as<tree::library_call>(e).function->acts;
    default:
      return waits_itself(e);
  }
}

bool may_fail_itself(const expression& e) {
  switch (e.what) {
    case op::element:
    case op::subarray:
    case op::make_array:
    case op::is_ready:
    case op::match:
    case op::call:  // of functions all may: their calls may be nested too deep
      return true;
    case op::library:
      return as<tree::library_call>(e).function->fails;
    case op::compute: {
      const auto& compute = as<tree::compute>(e);
      const bool divides = compute.does == operation::divide || compute.does == operation::modulo;
      return compute.does == operation::to_integer || (divides && e.of->is(type::kind::integer));
    }
    default:
      return false;
  }
}

// Whether one of the expressions in it is so.
bool any(const auto& in, auto&& holds) {
  bool found = false;
  walk(in, [&](const expression& each) {
    found |= holds(each);
    return !found;
  });
  return found;
}

// The variables of a function that name arrays which it has made, and no others.
std::vector<const variable*> own_arrays(const function_def& f) {
  std::vector<const variable*> own;
  for (const expression_ptr& e : f.body) {
    walk(*e, [&](const expression& each) {
      if (const auto* const declares = try_as<tree::let>(each)) {
        for (const auto& [var, first] : declares->variables) {
          if (first != nullptr && (first->what == op::make_array || first->what == op::subarray) &&
              var->changes.empty())
            own.push_back(var);
        }
      }
      return true;
    });
  }
  return own;
}

// The array of which an assignment to `place` changes elements; null: it is to a variable.
const expression* changed_array(const expression& place) {
  if (const auto* const element = try_as<tree::element>(place)) return element->array.get();
  const auto* const part = try_as<tree::subarray>(place);
  return part == nullptr ? nullptr : part->array.get();
}

// Whether it prints, or changes an element of an array but `own`. Elements of elements may be anybody's.
bool leaves_trace_itself(const expression& e, const std::vector<const variable*>& own) {
  if (e.what == op::print || e.what == op::expect) return true;
  if (const auto* const call = try_as<tree::call>(e)) return call->function->leaves_traces;
  const auto* const assign = try_as<tree::assign>(e);
  if (assign == nullptr) return false;
  const expression* const changed = changed_array(*assign->place);
  if (changed == nullptr) return false;
  const auto* const array = try_as<tree::name>(*changed);
  return array == nullptr || std::find(own.begin(), own.end(), array->var) == own.end();
}

}  // namespace

bool waits(const expression& e) { return any(e, waits_itself); }

bool waits(const clause& c) {
  return std::any_of(c.body.begin(), c.body.end(), [](const expression_ptr& e) { return waits(*e); });
}

void find_effects(program& p) {
  // An assignment to a variable of the function stays in it; one to elements of an array does not.
  const auto acts = [](const expression& e) {
    if (const auto* const assign = try_as<tree::assign>(e)) return changed_array(*assign->place) != nullptr;
    if (const auto* const call = try_as<tree::call>(e)) return call->function->acts;
    if (const auto* const call = try_as<tree::library_call>(e)) return call->function->acts;
    return e.what == op::print || e.what == op::expect;
  };
  const auto looks_outside = [](const expression& e) {
    if (const auto* const call = try_as<tree::call>(e)) return call->function->looks_outside;
    if (const auto* const call = try_as<tree::library_call>(e)) return call->function->acts;
    return false;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (function_def& f : p.functions) {
      const bool acted = f.acts, looked = f.looks_outside, left = f.leaves_traces;
      if (acted && looked && left) continue;
      const std::vector<const variable*> own = own_arrays(f);
      for (const expression_ptr& e : f.body) {
        walk(*e, [&](const expression& each) {
          f.acts |= acts(each);
          f.looks_outside |= looks_outside(each);
          f.leaves_traces |= leaves_trace_itself(each, own);
          return true;
        });
      }
      grown |= f.acts != acted || f.looks_outside != looked || f.leaves_traces != left;
    }
  }
}

bool may_end_itself(const clause& c) {
  return any(c, [](const expression& e) { return e.what == op::suicide; });
}

bool leaves_loop_around(const clause& c) {
  bool found = false;
  walk(c, [&](const expression& each) {
    found |= each.what == op::leave_loop;
    return !found && each.what != op::loop && each.what != op::count;  // what stands in one of these leaves that
  });
  return found;
}

bool has_loops(const clause& c) {
  return any(c, [](const expression& e) { return e.what == op::loop || e.what == op::count; });
}

bool has_effects(const expression& e) { return any(e, acts_itself); }

bool may_fail(const expression& e) { return any(e, may_fail_itself); }

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
      return !as<tree::name>(e).var->may_be_assigned();
    default:
      return false;
  }
}

namespace {

bool any_replies(const expressions& body) {
  return std::any_of(body.begin(), body.end(), [](const expression_ptr& e) { return replies(*e); });
}

}  // namespace

bool replies(const expression& e) {
  bool found = false;
  walk(e, [&](const expression& each) {
    found |= each.what == op::reply;
    return !found && each.what != op::wait_for;
  });
  // A clause of `wait-for` with `=>` leaves `!` to the clause around it.
  return found || any(e, [](const expression& each) {
           if (each.what != op::wait_for) return false;
           const auto& clauses = as<tree::cases>(each).clauses;
           return std::any_of(clauses.begin(), clauses.end(),
                              [](const clause& c) { return !c.replies && any_replies(c.body); });
         });
}

bool ends_with_reply(const expressions& body) {
  if (body.empty() || !ends_with_reply(*body.back())) return false;
  return std::none_of(body.begin(), body.end() - 1, [](const expression_ptr& e) { return replies(*e); });
}

bool ends_with_reply(const expression& e) {
  switch (e.what) {
    case op::reply:
    case op::exit:
      return !replies(*as<tree::unary>(e).operand);
    case op::choose: {
      const auto& choice = as<tree::choose>(e);
      return choice.no != nullptr && !replies(*choice.condition) && ends_with_reply(*choice.yes) &&
             ends_with_reply(*choice.no);
    }
    case op::sequence:
      return ends_with_reply(as<tree::block>(e).body);
    case op::let: {
      const auto& let = as<tree::let>(e);
      const bool first_replies = std::any_of(let.variables.begin(), let.variables.end(),
                                             [](const auto& v) { return v.first != nullptr && replies(*v.first); });
      return !first_replies && ends_with_reply(let.body);
    }
    case op::match: {
      const auto& match = as<tree::match>(e);
      return !replies(*match.value) && std::all_of(match.clauses.begin(), match.clauses.end(),
                                                   [](const clause& c) { return ends_with_reply(c.body); });
    }
    default:
      return false;
  }
}

bool is_test(const class_def& c) { return c.name.starts_with("Test") && c.arguments.empty(); }

bool names_itself(const class_def& c) {
  return any(c, [](const expression& e) { return e.what == op::me; });
}

}  // namespace abcl
