// What waits of compiled programs say in reports of deadlocks: the same as on the register machine.
#pragma once

#include <string>
#include <utility>

#include "abcl/runtime/shown_wait.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/object/reports.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace abcl {

using wait_text = tsubu::remote::wait_reports::wait_text;

inline std::string number_text(const tsubu::objects::identity& of) {
  return std::to_string(of.creator()) + '.' + std::to_string(of.number());
}
inline std::string number_text(const tsubu::objects::object_base& of) {
  return number_text(tsubu::objects::this_space().identity_of(of));
}
inline std::string asked_text(const tsubu::objects::identity& of) { return shown_asked(number_text(of), of.home); }

// It waits at `by`, for whom is "" or behind the words that are there.
inline wait_text told_at(const tsubu::wait_record& w, const site& by, std::string whom = {}) {
  wait_text text;
  if (const auto* const object = tsubu::objects::waiting_object(w))
    text.who = shown_object(by.of_class, number_text(*object));
  text.what = by.awaited;
  text.whom = std::move(whom);
  text.at = text_of(by);
  return text;
}

// The `object` of a wait whose `what` is this text is a place_of_wait.
inline constexpr char waits_at_place[] = "a reply";
struct place_of_wait {
  const site* at = nullptr;          // null: of C++
  tsubu::objects::identity asked{};  // no home: nobody, or not known
};

inline wait_text describe_wait(const tsubu::wait_record& w) {
  if (w.what != waits_at_place) return {};
  const auto& place = *static_cast<const place_of_wait*>(w.object);
  if (place.at == nullptr) return {};
  return told_at(w, *place.at, place.asked.home == tsubu::no_pe ? std::string() : asked_text(place.asked));
}

}  // namespace abcl
