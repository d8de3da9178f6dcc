// How an object is doing, and who waits for whom: what status() and a deadlock report say.
#pragma once

#include "tsubu/object/object_base.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu {

// What an object is doing.
enum class object_mode : std::uint8_t { dormant, active, waiting };

// What status() of a ref answers.
struct object_status {
  object_mode mode;      // active: it has something to run
  std::uint32_t queued;  // messages
  pe_id pe;              // where it lives
};

namespace objects {

// Where it lives.
object_status status_of(const object_base& o);

// The object whose method waits; null: none does.
const object_base* waiting_object(const wait_record& w);

// Which object and method waits, and for whom: as far as a wait of this floor tells.
remote::wait_reports::wait_text describe_wait(const wait_record& w);

}  // namespace objects
}  // namespace tsubu
