#include "tsubu/remote/messages/in_line.hpp"

namespace tsubu {

template std::size_t message::run_loop<remote::next_answer<void>>::execute(const wire::run&);

}  // namespace tsubu

namespace tsubu::remote {

void refuse_answer(pe_id from, const wire::handler_entry& of) {
  fail("PE " + std::to_string(from) + " sends a " + wire::readable_name(of) +
       ", but nobody here awaits one from there");
}

}  // namespace tsubu::remote
