// From here to the object that a name tells, wherever that is.
//
// These are only named here: whoever holds a ref needs no more to say what he sends. Whoever sends knows the object's
// class, and so has object.hpp, which includes their definitions (packets.hpp). The values are of the types that the
// method takes, and may be moved from.
#pragma once

#include "tsubu/object/message.hpp"

namespace tsubu::objects {

// Nobody waits for an answer.
template <class T, auto M, bool express, class... A>
void send_past(const identity& id, A&&... a);

// The answer goes to `to`, which is wanted.
template <class T, auto M, class... A>
void send_question(const identity& id, destination to, A&&... a);

// The answer goes to `to`, if that is wanted.
template <class T, auto M, class... A>
void send_delegated(const identity& id, destination to, A&&... a);

}  // namespace tsubu::objects
