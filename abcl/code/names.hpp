// What the parts of the machine are called in the printed forms.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::code {

// What a value of an enumeration is called. A table of them stands in its order.
template <class E>
struct named {
  E what;
  std::string_view name;
};
template <class E, std::size_t size>
constexpr bool is_in_order(const std::array<named<E>, size>& table) {
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<std::size_t>(table[i].what) != i || table[i].name.empty()) return false;
  }
  return true;
}

inline constexpr std::array<named<entry>, entries> entry_names = {{{entry::message, "message"},
                                                                   {entry::express, "express"},
                                                                   {entry::reply, "reply"},
                                                                   {entry::future, "future"},
                                                                   {entry::start, "start"},
                                                                   {entry::answer, "answer"},
                                                                   {entry::left, "left"}}};
static_assert(is_in_order(entry_names));
inline constexpr std::array<named<reactive>, reactives> reactive_names = {{{reactive::busy, "busy"},
                                                                           {reactive::dormant, "dormant"},
                                                                           {reactive::accepting, "accepting"},
                                                                           {reactive::waiting_one, "waiting-one"},
                                                                           {reactive::waiting, "waiting"},
                                                                           {reactive::dormant_open, "dormant-open"},
                                                                           {reactive::accepting_open, "accepting-open"},
                                                                           {reactive::waiting_open, "waiting-open"},
                                                                           {reactive::idle, "idle"},
                                                                           {reactive::ended, "ended"},
                                                                           {reactive::finished, "finished"}}};
static_assert(is_in_order(reactive_names));
inline constexpr std::array<named<handler>, handlers> handler_names = {{{handler::box, "box"},
                                                                        {handler::large_box, "large-box"},
                                                                        {handler::create, "create"},
                                                                        {handler::collect, "collect"},
                                                                        {handler::flush, "flush"},
                                                                        {handler::mark, "mark"},
                                                                        {handler::token, "token"},
                                                                        {handler::sweep, "sweep"},
                                                                        {handler::sweep_on, "sweep-on"},
                                                                        {handler::swept, "swept"}}};
static_assert(is_in_order(handler_names));
inline constexpr std::array<named<service>, services> service_names = {{{service::make_array, "make-array"},
                                                                        {service::set_all, "set-all"},
                                                                        {service::element, "element"},
                                                                        {service::set_element, "set-element"},
                                                                        {service::length, "length"},
                                                                        {service::subarray, "subarray"},
                                                                        {service::require_subarray, "require-subarray"},
                                                                        {service::require_length, "require-length"},
                                                                        {service::set_subarray, "set-subarray"},
                                                                        {service::text_length, "text-length"},
                                                                        {service::compare_texts, "compare-texts"},
                                                                        {service::begin_text, "begin-text"},
                                                                        {service::append_int, "append-int"},
                                                                        {service::append_real, "append-float"},
                                                                        {service::append_bool, "append-bool"},
                                                                        {service::append_text, "append-text"},
                                                                        {service::append_name, "append-name"},
                                                                        {service::append_array, "append-array"},
                                                                        {service::end_text, "end-text"},
                                                                        {service::say, "say"},
                                                                        {service::my_node, "my-node"},
                                                                        {service::node_count, "node-count"},
                                                                        {service::exit, "exit"},
                                                                        {service::refill, "refill"},
                                                                        {service::large_box, "large-box"},
                                                                        {service::fill_stock, "fill-stock"},
                                                                        {service::no_reply, "no-reply"},
                                                                        {service::ended, "ended"},
                                                                        {service::refuse, "refuse"},
                                                                        {service::library, "library"},
                                                                        {service::ask_outside, "ask-outside"},
                                                                        {service::hold, "hold"},
                                                                        {service::release_held, "release-held"},
                                                                        {service::held_words, "held-words"},
                                                                        {service::held_word, "held-word"},
                                                                        {service::refers, "refers"},
                                                                        {service::segment_of, "segment-of"},
                                                                        {service::array_words, "array-words"},
                                                                        {service::array_word, "array-word"},
                                                                        {service::next_box, "next-box"},
                                                                        {service::box_end, "box-end"}}};
static_assert(is_in_order(service_names));

// The number of what a table calls `name`; -1 if it calls nothing so.
constexpr int number_named(std::string_view name, const auto& table) {
  for (const auto& each : table) {
    if (each.name == name) return static_cast<int>(each.what);
  }
  return -1;
}

// Words that have names: of a segment, a box, a node.
using named_word = named<int>;
inline constexpr named_word segment_words[] = {{words::reactive, "reactive"},
                                               {words::place, "place"},
                                               {words::at_message, "at-message"},
                                               {words::head, "head"},
                                               {words::tail, "tail"},
                                               {words::awaited, "awaited"},
                                               {words::ahead, "ahead"},
                                               {words::interruptible, "interruptible"},
                                               {words::at_express, "at-express"},
                                               {words::early_head, "early-head"},
                                               {words::early_tail, "early-tail"},
                                               {words::kept_place, "kept-place"},
                                               {words::kept_awaited, "kept-awaited"},
                                               {words::kept_reactive, "kept-reactive"},
                                               {words::interrupt_depth, "interrupt-depth"},
                                               {words::dropped, "dropped"}};
inline constexpr named_word box_words[] = {{words::next, "next"}, {words::message, "message"}};
inline constexpr named_word node_words[] = {{words::free_boxes, "free-boxes"},
                                            {words::phase, "phase"},
                                            {words::countdown, "countdown"},
                                            {words::between, "between"},
                                            {words::markers, "markers"},
                                            {words::marks, "marks"},
                                            {words::black, "black"},
                                            {words::token, "token"},
                                            {words::has_token, "has-token"},
                                            {words::segments, "segments"},
                                            {words::next_to_sweep, "next-to-sweep"},
                                            {words::collecting, "collecting"},
                                            {words::have_swept, "have-swept"},
                                            {words::classes, "classes"},
                                            {words::at_a_time, "at-a-time"},
                                            {words::reserve, "reserve"},
                                            {words::ready, "ready"},
                                            {words::stock, "stock"}};

// What word `next` of a box says of a reply.
inline constexpr named<int> reply_states[] = {{words::has_come, "has-come"}, {words::will_not_come, "will-not-come"}};

// One instruction. What it names is looked up in the tables; null: as numbers. `block_name` names a block or an
// address.
struct names {
  const std::vector<selector_info>* selectors = nullptr;
  const shared_vector<std::string>* strings = nullptr;
  const std::vector<std::string>* classes = nullptr;
  const std::vector<std::string>* functions = nullptr;
  bool virtual_values = true;
};

}  // namespace abcl::code
