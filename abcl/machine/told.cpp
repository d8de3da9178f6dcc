#include "abcl/machine/told.hpp"

#include <fmt/format.h>

#include "abcl/machine/recorder.hpp"

namespace abcl::machine {

using code::entry;
using code::opcode;
using code::reactive;
namespace notes = code::notes;

std::uint32_t tell(recorder& to, const execution_unit& by, const instruction& i, const state& at) {
  const std::uint32_t object = at.object;
  if (object == 0) return 0;  // the node does it
  const word* const r = at.registers;
  to.clocks(at.clocks);
  switch (i.what) {
    case opcode::put:
      to.puts(r[i.a], static_cast<int>(i.k), r[i.b], i.note);
      break;
    case opcode::put_heap:
      to.puts(r[i.a], static_cast<int>(i.k),
              i.u == 1 ? fmt::format("\"{}\"", by.values.text_of(r[i.b])) : std::string("(array)"));
      break;
    case opcode::send:
      switch (static_cast<entry>(i.k)) {
        case entry::message:
        case entry::express:
          return to.sends(object, r[i.a], r[i.b], by.code().selectors[selector_of(r[i.b])],
                          static_cast<entry>(i.k) == entry::express);
        case entry::reply:
        case entry::future:
          return to.replies(object, r[i.a], r[i.b]);
        case entry::start:
          to.creates(object, r[i.a], by.code().classes[static_cast<std::size_t>(i.u)].name);
          break;
        default:
          break;
      }
      break;
    case opcode::give_box:
      if (i.note != 0) to.takes(object, address_of(r[i.a]), i.note);
      break;
    case opcode::load:
      if (i.note == notes::touches)
        to.takes(object, address_of(by.memory[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)]), notes::reply);
      break;
    case opcode::link:
      to.links(object, static_cast<reactive>(i.k), i.note);
      break;
    case opcode::go:
      if (i.note == notes::resumes) to.resumes(object);
      break;
    case opcode::service:
      if (static_cast<code::service>(i.k) == code::service::ask_outside) to.asks_outside(object);
      break;
    default:
      break;
  }
  return 0;
}

}  // namespace abcl::machine
