// Why an object is marked: who has first led the collector to it. Kept for one cycle, if why_alive() asks.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "tsubu/object/identity.hpp"

namespace tsubu::collection {

struct cause {
  enum class kind : std::uint32_t {
    code,    // a strong_ref of this PE that no dormant object shows, or one that was used meanwhile
    itself,  // it runs, waits, or has messages in its queue
    object   // that one shows a strong_ref to it
  };
  kind of = kind::code;
  pe_id pe = no_pe;         // where that is
  objects::identity who{};  // if it is an object
};

// It has the objects that this PE has led to, and those that are here.
using cause_table = std::unordered_map<objects::identity, cause, objects::identity_hash>;

}  // namespace tsubu::collection
