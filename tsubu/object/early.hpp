// Messages that come before the message that creates their object.
//
// A creator gives a name away as soon as create() has returned, and a third PE's message takes another way than the
// creation. So a message may find nobody because its object is yet to be created; it waits here for the constructor.
#pragma once

#include "tsubu/base/owned.hpp"
#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class early_arrivals {
 public:
  early_arrivals();
  early_arrivals(const early_arrivals&) = delete;
  early_arrivals& operator=(const early_arrivals&) = delete;
  ~early_arrivals();

  bool empty() const { return unborn_ == nullptr; }

  // A stand-in that takes messages for the object of that name, and executes none.
  object_base& stand_in(const identity& id);
  // What has come for it, in order. The stand-in is gone.
  message_queue take(const identity& id);
  // The name for which that object stands in, or null.
  const identity* name_of(const object_base& o) const;

 private:
  struct table;
  detail::owned<table> unborn_;  // null if there are none
};

}  // namespace tsubu::objects
