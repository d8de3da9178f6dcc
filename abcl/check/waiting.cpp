// Reply boxes, which `sync` waits for, and futures.
//
// A box takes whatever its destination `(@ r)` is expected to take: where an (@ S) is expected, values of S may come.
// So the type of the box is the least that all of these fit. It is known only behind the forms of the `sync`.
#include <fmt/format.h>

#include "abcl/check/checker.hpp"

namespace abcl {

variable* checker::open_box(const form& name) {
  variable* const box = declare(variable::kind::box, name, types_.unknown);
  boxes_[box] = {nullptr, false};
  return box;
}

void checker::close_box(variable& box) {
  const auto [of, given] = boxes_[&box];
  if (of != nullptr) box.of = of;
  if (!given && !box.name.empty())
    said_.error(54, box.where, fmt::format("nobody can reply to `{}`", box.name), "it would be waited for for ever")
        .help.push_back(
            fmt::format("give (@ {}) to somebody in this form, as the last element of a message", box.name));
}

expression_ptr checker::special_destination(const form& f, const type* wanted) {
  expression_ptr e = made(op::destination, f, types_.unknown);
  const form& name = f.parts[1];
  variable* const box = name.is(form::kind::symbol) ? find(name.word) : nullptr;
  if (box == nullptr || box->what != variable::kind::box) {
    diagnostic& d = said_.error(54, name.where, "`@` takes the name of a reply box", "this is none");
    if (box != nullptr) {
      d.notes.push_back({box->where, "it is a variable"});
      if (box->of->is(type::kind::reply))
        d.help.push_back(fmt::format("it is a destination already: write {}", name.word));
    } else {
      d.help.push_back("(sync r form ...) makes a reply box `r` and waits for what is put there");
    }
    return e;
  }
  box->uses.push_back(name.where);
  e->var = box;
  auto& [of, given] = boxes_[box];
  given = true;
  if (wanted == nullptr) {
    said_.error(54, f.where, "what this destination takes is not known here", "no reply destination is expected")
        .help.push_back("it may stand as an element of a message or an argument of type (@ T)");
    of = types_.unknown;
    return e;
  }
  if (wanted->is_error()) {
    of = types_.unknown;
    return e;
  }
  if (!wanted->is(type::kind::reply)) {
    said_.error(40, f.where, fmt::format("{} is expected here", with_article(wanted)), "this is a reply destination");
    of = types_.unknown;
    return e;
  }
  const type* const both = of == nullptr ? wanted->of() : types_.join(of, wanted->of());
  if (both == nullptr) {
    said_.error(54, f.where, fmt::format("`{}` gets values of different types", box->name),
                fmt::format("{} here, {} elsewhere", with_article(wanted->of()), with_article(of)));
    of = types_.unknown;
  } else {
    of = both;
  }
  e->of = wanted;
  return e;
}

// `sync` drops the values of its forms; `sync2` has two, and that of the second stands beside that of the box.
expression_ptr checker::special_sync(const form& f, const type*) {
  const bool two = f.parts[0].word == "sync2";
  expression_ptr e = made(two ? op::sync2 : op::sync, f, types_.unknown);
  may_wait(f, "does not wait");
  begin_scope();
  variable& box = *open_box(f.parts[1]);
  e->vars.push_back(&box);
  if (two) {
    e->parts.push_back(value(f.parts[2]));
    e->parts.push_back(value(f.parts[3]));
  } else {
    sequence(f, 2, e->parts, nullptr);
  }
  end_scope();
  close_box(box);
  e->of = two ? types_.message({}, {box.of, e->parts[1]->of}) : box.of;
  return e;
}

expression_ptr checker::special_sync_all(const form& f, const type*) {
  expression_ptr e = made(op::sync_all, f, types_.unknown);
  may_wait(f, "does not wait");
  const std::vector<form>& names = f.parts[1].parts;
  if (!f.parts[1].is(form::kind::round) || names.empty()) {
    said_.error(17, f.parts[1].where, "`sync*` begins with the names of its boxes", "(name ...) is expected");
    return e;
  }
  const std::size_t given = f.parts.size() - 2;
  if (given != names.size() && given != names.size() + 1)
    said_
        .error(17, f.where,
               fmt::format("`sync*` with {} boxes has {} or {} forms", names.size(), names.size(), names.size() + 1),
               fmt::format("{} given", given))
        .help.push_back("the value of one form more stands behind those of the boxes");
  begin_scope();
  for (const form& n : names) e->vars.push_back(open_box(n));
  const type* const last = sequence(f, 2, e->parts, nullptr);
  end_scope();
  std::vector<const type*> of;
  for (variable* box : e->vars) {
    close_box(*box);
    of.push_back(box->of);
  }
  if (given > names.size()) of.push_back(last);
  e->of = types_.message({}, std::move(of));
  return e;
}

expression_ptr checker::special_make_future(const form& f, const type* wanted) {
  expression_ptr e = made(op::make_future, f, types_.unknown);
  if (wanted != nullptr && (wanted->is(type::kind::future) || wanted->is_error())) {
    e->of = wanted;
  } else {
    said_.error(61, f.where, "what this future will hold is not known here", "of what?")
        .help.push_back("give it to a variable with a type: (let (((future Int) f (make-future))) ...)");
  }
  return e;
}

expression_ptr checker::special_of_future(const form& f, const type*) {
  const std::string_view what = f.parts[0].word;
  expression_ptr e = made(what == "touch"    ? op::touch
                          : what == "ready?" ? op::is_ready
                                             : op::next_value,
                          f, types_.unknown);
  if (e->what != op::is_ready) may_wait(f, "does not wait");
  e->parts.push_back(value(f.parts[1]));
  const type* const of = e->parts[0]->of;
  if (of->is(type::kind::future)) {
    e->of = e->what == op::is_ready ? types_.boolean : of->of();
  } else if (!of->is_error()) {
    said_.error(61, f.parts[1].where, fmt::format("`{}` takes a future", what),
                fmt::format("this is {}", with_article(of)));
  }
  return e;
}

}  // namespace abcl
