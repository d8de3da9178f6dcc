#include "abcl/machine/execution_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "abcl/machine/parts.hpp"
#include "abcl/machine/told.hpp"
#include "abcl/runtime/integers.hpp"
#include "abcl/runtime/most_nested_calls.hpp"

namespace abcl::machine {

using code::entry;
using code::opcode;
using code::reactive;
namespace words = code::words;

namespace {

constexpr std::size_t stack_margin = 4096;  // for the arguments of a call

}  // namespace

execution_unit::execution_unit(int node, surroundings& outside)
    : memory(node, outside),
      node_(node),
      outside_(outside),
      services_(node, memory, values, held, outside),
      stack_(stack_margin) {}

void execution_unit::use(std::shared_ptr<const image> more) {
  image_ = std::move(more);
  for (std::size_t i = code_.size(); i < image_->code.size(); ++i) code_.push_back(decoded(image_->code[i]));
}

std::uint32_t execution_unit::end_at() const {
  const auto end = std::find_if(code_.begin(), code_.end(), [](const instruction& i) { return i.what == opcode::end; });
  return static_cast<std::uint32_t>(end - code_.begin());
}

void execution_unit::run(const sequence& s, recorder* told) {
  if (told != nullptr) return steps<true, false>(s, told);
  if (asked_to_stop_ == nullptr) return steps<false, false>(s, told);
  steps<false, true>(s, told);
}

void execution_unit::flush() {
  if (clocks_ == 0) return;
  outside_.spend(clocks_);
  clocks_ = 0;
}

void execution_unit::fail(const instruction& i, int sent_at, const std::string& what) {
  outside_.fail(i.site >= 0 ? i.site : sent_at, what);
  std::abort();  // not reached
}

void execution_unit::call(const instruction& i, std::uint32_t from) {
  const image::function_code& f = image_->functions[static_cast<std::size_t>(i.k)];
  calls_.push_back(from);
  calls_.push_back(static_cast<std::uint32_t>(registers_[frame_register]));
  if (calls_.size() > 2 * std::size_t{most_nested_calls}) [[unlikely]]
    outside_.fail(f.site, std::string(nested_too_deep));
  const std::size_t frame = registers_[frame_register] + static_cast<word>(i.u);
  if (frame + static_cast<std::size_t>(f.words) + stack_margin > stack_.size()) {
    stack_.resize(std::max(stack_.size() * 2, frame + static_cast<std::size_t>(f.words) + stack_margin));
  }
  registers_[frame_register] = frame;
}

void execution_unit::collect_within_sequence() {
  const std::size_t frames = std::min(stack_.size(), registers_[frame_register] + 2 * stack_margin);
  values.collect({memory.in_use(), {registers_, std::size(registers_)}, {stack_.data(), frames}, held.words()});
}

// All of the language stands in this one function, and it is as long as the language is: the counter, the registers and
// the count of clocks are its local variables, which functions for groups of instructions would have to hand over and
// take back at each instruction.
template <bool recorded, bool watched>
void execution_unit::steps(const sequence& s, recorder* told) {
  const std::uint32_t object = s.object;
  word* const r = registers_;
  r[0] = s.r0;
  r[1] = s.r1;
  r[segment_register] = object;
  r[node_register] = 0;
  r[frame_register] = 0;
  r[no_register] = 0;
  calls_.clear();
  const instruction* const code = code_.data();
  const instruction* pc = code + s.at;
  std::uint64_t executed = 0;
  // A packet leaves after what has been executed before.
  const auto leaves = [&] {
    done.instructions += executed;
    clocks_ += std::exchange(executed, 0);
    flush();
    ++done.sends;
  };
  const auto operand = [&](const instruction& i) { return i.is_immediate ? bits(i.k) : r[i.b]; };
  const auto stop_if_asked = [&](const instruction& i) {
    if constexpr (watched) {
      if (asked_to_stop_->load(std::memory_order_relaxed)) fail(i, s.sent_at, "interrupted");
    }
  };
  const auto go_to = [&](const instruction& i) {
    stop_if_asked(i);
    pc = code + i.t;
  };
  for (;;) {
    const instruction& i = *pc++;
    ++executed;
    // By it recorders know what is sent.
    const std::uint32_t mark = recorded ? tell(*told, *this, i, {object, r, clocks_ + executed}) : 0;
    switch (i.what) {
      // ---- packets
      case opcode::send:
      case opcode::ask_node: {
        if (r[i.a] == 0) [[unlikely]]
          fail(i, s.sent_at, "a message to nil");
        leaves();
        if (i.what == opcode::send && i.k <= static_cast<std::int64_t>(entry::express))
          memory.segment_at(object).last.asked = r[i.a];
        outside_.send(node_of(r[i.a]),
                      {r[i.a], r[i.b], static_cast<std::uint32_t>(i.k), static_cast<std::uint32_t>(i.site),
                       i.what == opcode::send ? packet::kind::to_object : packet::kind::to_node, mark});
        break;
      }
      case opcode::put:
        if (r[i.a] == 0) [[unlikely]]
          fail(i, s.sent_at, "a reply to nil");
        leaves();
        outside_.send(node_of(r[i.a]), {r[i.a], r[i.b], static_cast<std::uint32_t>(i.k),
                                        static_cast<std::uint32_t>(i.site), packet::kind::write});
        break;
      case opcode::put_heap: {
        if (r[i.a] == 0) [[unlikely]]
          fail(i, s.sent_at, "a reply to nil");
        leaves();
        std::string copy;
        values.save(r[i.b], i.u, image_->layouts, copy);
        outside_.send_value(
            node_of(r[i.a]),
            {r[i.a], 0, static_cast<std::uint32_t>(i.k), static_cast<std::uint32_t>(i.site), packet::kind::write}, i.u,
            std::move(copy));
        break;
      }
      case opcode::link: {
        memory[object + words::reactive] = static_cast<word>(i.k);
        if (i.k != static_cast<std::int64_t>(reactive::busy))
          memory.segment_at(object).link(i.site, i.note);
        else if (i.note == code::notes::interrupts)
          memory.segment_at(object).interrupt();
        break;
      }
      case opcode::end:
        clocks_ += executed;
        done.instructions += executed;
        if (values.is_full(memory.in_use().size())) [[unlikely]]
          values.collect({memory.in_use(), held.words()});
        return;
      case opcode::go:
        pc = code + r[i.a];
        break;
      case opcode::keep_place:
        ++done.stores;
        memory[object + static_cast<std::uint32_t>(i.k)] = static_cast<word>(i.t);
        if (i.note == code::notes::before_wait) [[unlikely]]
          memory.segment_at(object).interrupt_at(i.site);
        break;
      case opcode::give_box:
        ++done.stores;
        memory.give_first(address_of(r[i.a]));
        break;

      // ---- names
      case opcode::pack:
        r[i.d] = message_of(address_of(r[i.a]), static_cast<word>(i.k), static_cast<word>(i.u));
        break;
      case opcode::pack_early:
        r[i.d] = message_of(address_of(r[i.a]), static_cast<word>(i.k), static_cast<word>(i.u)) | early_bit;
        break;
      case opcode::kind_of:
        r[i.d] = kind_of(r[i.a]);
        break;
      case opcode::box_of:
        r[i.d] = address_of(r[i.a]);
        break;
      case opcode::name_box:
        r[i.d] = memory.name(address_of(r[i.a]));
        break;
      case opcode::name_future:
        r[i.d] = name_of(node_, address_of(r[i.a])) | future_bit;
        break;
      case opcode::pair:
        r[i.d] = pair_of(address_of(r[i.a]), address_of(r[i.b]));
        break;
      case opcode::future_of:
        r[i.d] = future_of(r[i.a]);
        break;
      case opcode::is_future:
        r[i.d] = (r[i.a] & future_bit) != 0 ? 1 : 0;
        break;
      case opcode::is_early:
        r[i.d] = (r[i.a] & early_bit) != 0 ? 1 : 0;
        break;
      case opcode::me:
        r[i.d] = name_of(node_, object);
        break;
      case opcode::neighbour:
        r[i.d] = name_of(outside_.neighbour(static_cast<int>(i.k)), 1);
        break;
      case opcode::neighbours:
        r[i.d] = name_of(outside_.neighbour(turn_), 1);
        turn_ ^= 1;
        break;
      case opcode::node_at:
        if (r[i.a] >= static_cast<word>(outside_.nodes())) [[unlikely]]
          fail(i, s.sent_at, fmt::format("there is no node {}", number(r[i.a])));
        r[i.d] = name_of(static_cast<int>(r[i.a]), 1);
        break;

      // ---- values
      case opcode::set:
        r[i.d] = bits(i.k);
        break;
      case opcode::text:
        r[i.d] = values.constant(static_cast<std::size_t>(i.k), image_->strings[static_cast<std::size_t>(i.k)]);
        break;
      case opcode::move:
        r[i.d] = r[i.a];
        break;
      case opcode::add:
        r[i.d] = r[i.a] + operand(i);
        break;
      case opcode::subtract:
        r[i.d] = r[i.a] - operand(i);
        break;
      case opcode::multiply:
        r[i.d] = r[i.a] * operand(i);
        break;
      case opcode::divide: {
        const std::int64_t by = number(operand(i));
        if (by == 0) [[unlikely]]
          fail(i, s.sent_at, "division by zero");
        r[i.d] = bits(quotient(number(r[i.a]), by));
        break;
      }
      case opcode::modulo: {
        const std::int64_t by = number(operand(i));
        if (by == 0) [[unlikely]]
          fail(i, s.sent_at, "division by zero");
        r[i.d] = bits(floored_remainder(number(r[i.a]), by));
        break;
      }
      case opcode::add_real:
        r[i.d] = bits(real(r[i.a]) + real(r[i.b]));
        break;
      case opcode::subtract_real:
        r[i.d] = bits(real(r[i.a]) - real(r[i.b]));
        break;
      case opcode::multiply_real:
        r[i.d] = bits(real(r[i.a]) * real(r[i.b]));
        break;
      case opcode::divide_real:
        r[i.d] = bits(real(r[i.a]) / real(r[i.b]));
        break;
      case opcode::negate_real:
        r[i.d] = bits(-real(r[i.a]));
        break;
      case opcode::root:
        r[i.d] = bits(std::sqrt(real(r[i.a])));
        break;
      case opcode::to_integer: {
        const double x = real(r[i.a]);
        if (!is_an_integer(x)) [[unlikely]]
          fail(i, s.sent_at, "the number is no Int");
        r[i.d] = bits(static_cast<std::int64_t>(x));
        break;
      }
      case opcode::to_real:
        r[i.d] = bits(static_cast<double>(number(r[i.a])));
        break;
      case opcode::equal:
        r[i.d] = r[i.a] == operand(i) ? 1 : 0;
        break;
      case opcode::unequal:
        r[i.d] = r[i.a] != operand(i) ? 1 : 0;
        break;
      case opcode::less:
        r[i.d] = number(r[i.a]) < number(operand(i)) ? 1 : 0;
        break;
      case opcode::at_most:
        r[i.d] = number(r[i.a]) <= number(operand(i)) ? 1 : 0;
        break;
      case opcode::less_real:
        r[i.d] = real(r[i.a]) < real(r[i.b]) ? 1 : 0;
        break;
      case opcode::at_most_real:
        r[i.d] = real(r[i.a]) <= real(r[i.b]) ? 1 : 0;
        break;
      case opcode::equal_real:
        r[i.d] = real(r[i.a]) == real(r[i.b]) ? 1 : 0;
        break;
      case opcode::unequal_real:
        r[i.d] = real(r[i.a]) != real(r[i.b]) ? 1 : 0;
        break;
      case opcode::flip:
        r[i.d] = r[i.a] == 0 ? 1 : 0;
        break;

      // ---- memory
      case opcode::load:
        ++done.loads;
        r[i.d] = i.a == frame_register ? stack_[r[frame_register] + static_cast<word>(i.k)]
                                       : memory[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)];
        break;
      case opcode::store:
        ++done.stores;
        if (i.a == frame_register) {
          stack_[r[frame_register] + static_cast<word>(i.k)] = r[i.b];
        } else {
          memory[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)] = r[i.b];
        }
        break;

      // ---- control
      case opcode::jump:
        go_to(i);
        break;
      case opcode::if_equal:
        if (r[i.a] == operand(i)) go_to(i);
        break;
      case opcode::if_unequal:
        if (r[i.a] != operand(i)) go_to(i);
        break;
      case opcode::if_less:
        if (number(r[i.a]) < number(operand(i))) go_to(i);
        break;
      case opcode::if_at_most:
        if (number(r[i.a]) <= number(operand(i))) go_to(i);
        break;
      case opcode::if_greater:
        if (number(r[i.a]) > number(operand(i))) go_to(i);
        break;
      case opcode::if_at_least:
        if (number(r[i.a]) >= number(operand(i))) go_to(i);
        break;
      case opcode::argument:
        stack_[r[frame_register] + static_cast<word>(i.u) + static_cast<word>(i.k)] = r[i.a];
        break;
      case opcode::call:
        stop_if_asked(i);
        call(i, static_cast<std::uint32_t>(pc - code));
        pc = code + image_->functions[static_cast<std::size_t>(i.k)].begin;
        break;
      case opcode::result:
        r[i.d] = stack_[r[frame_register] + static_cast<word>(i.u) + static_cast<word>(i.k)];
        break;
      case opcode::give_result:
        stack_[r[frame_register] + static_cast<word>(i.k)] = r[i.a];
        break;
      case opcode::leave:
        r[frame_register] = calls_.back();
        calls_.pop_back();
        pc = code + calls_.back();
        calls_.pop_back();
        break;
      case opcode::service: {
        const auto what = static_cast<code::service>(i.k);
        stopped_ |= what == code::service::exit;
        const word d = services_.call(
            {what, i.u, r[i.a], r[i.b], r[i.c], i.b != no_register, object, i.site >= 0 ? i.site : s.sent_at}, *image_);
        r[i.d] = d;
        r[no_register] = 0;
        // A long sequence: registers and frames of functions have handles, too.
        if (values.is_full(memory.in_use().size())) [[unlikely]]
          collect_within_sequence();
        break;
      }
      case opcode::fail:
        fail(i, s.sent_at, image_->strings[static_cast<std::size_t>(i.k)]);

      default:
        outside_.fail(i.site, "an instruction that the machine does not have");
    }
  }
}

}  // namespace abcl::machine
