// How the elements of a spread vector come to the PEs that need them.
//
//   block    every PE sends all of its elements to every other one, in one piece
//   update   every PE sends what another one needs, a message for each element
//   packed   every PE sends what another one needs, packed into one write
//   read     who needs an element reads it, again for each of its occurrences; some tasks at a time
//   cached   the same, but what has been read is kept until the next execution
//
// and `automatic`: the one of these that a plan finds fastest when it is made (choice.hpp).
//
// Source: EM-X sparse CG (Sato et al. 1997), sections 4 and 6.1: blk, upd, thd-n and its variant with software caching.
// `packed` is not the paper's, whose network has packets of one word.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tsubu {

enum class plan_method : std::uint8_t { block, update, packed, read, cached, automatic };

// All by which an exchange can be done, in their order.
inline constexpr std::array plan_methods{plan_method::block, plan_method::update, plan_method::packed,
                                         plan_method::read, plan_method::cached};

// Its word in options and reports: "block", ..; of `automatic`, "auto".
// Local; does not block; throws nothing.
std::string_view name_of(plan_method method);

// The method of that word, or nothing.
// Local; does not block; throws nothing.
std::optional<plan_method> plan_method_named(std::string_view word);

}  // namespace tsubu
