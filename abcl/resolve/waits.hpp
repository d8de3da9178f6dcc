// What a program waits for, in words: both back ends say them in reports of deadlocks.
#pragma once

#include <string>
#include <vector>

#include "abcl/check/tree.hpp"

namespace abcl {

// "a reply to [:get (@ Int)]": of a now send.
std::string awaited_reply(const tree::send& now);

// "a reply to [:get (@ Int)] in r": of a sync, in one of its boxes. The message is named if its body sends the box in
// one only.
std::string awaited_in_box(const tree::sync& of, const variable& box);

// "a value of the future f": of a touch or next-value.
std::string awaited_value(const tree::unary& of);

// "a message [:put Int] or [:get (@ Int)] if it fits": of a wait-for. One fits if a clause has no other literals, and
// its guard holds.
std::string awaited_messages(const std::vector<clause>& of);

// The same for a script that may leave messages in the queue.
inline constexpr char awaited_by_script[] = "a message that its script takes";

}  // namespace abcl
