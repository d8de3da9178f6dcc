// What the parts of the machine are called in the printed forms.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::code {

inline constexpr std::array<std::string_view, entries> entry_names = {"message", "express", "reply", "future",
                                                                      "start",   "answer",  "left"};
inline constexpr std::array<std::string_view, reactives> reactive_names = {
    "busy",         "dormant",        "accepting",    "waiting-one", "waiting",
    "dormant-open", "accepting-open", "waiting-open", "ended"};
inline constexpr std::array<std::string_view, handlers> handler_names = {"box", "large-box", "create"};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(service::ask_outside) + 1> service_names = {
    "make-array", "set-all",    "element",      "set-element", "length",      "text-length", "compare-texts",
    "begin-text", "append-int", "append-float", "append-bool", "append-text", "append-name", "append-array",
    "end-text",   "say",        "my-node",      "node-count",  "exit",        "refill",      "large-box",
    "fill-stock", "no-reply",   "ended",        "refuse",      "library",     "ask-outside"};
// Words that have names: of a segment, a box, a node.
struct named_word {
  std::string_view name;
  int number;
};
inline constexpr named_word segment_words[] = {{"place", words::place},
                                               {"at-message", words::at_message},
                                               {"head", words::head},
                                               {"tail", words::tail},
                                               {"awaited", words::awaited},
                                               {"ahead", words::ahead},
                                               {"interruptible", words::interruptible},
                                               {"at-express", words::at_express},
                                               {"early-head", words::early_head},
                                               {"early-tail", words::early_tail},
                                               {"kept-place", words::kept_place},
                                               {"kept-awaited", words::kept_awaited},
                                               {"kept-reactive", words::kept_reactive},
                                               {"interrupt-depth", words::interrupt_depth},
                                               {"dropped", words::dropped}};
inline constexpr named_word box_words[] = {{"next", words::next}, {"message", words::message}};
inline constexpr named_word node_words[] = {{"free-boxes", words::free_boxes}, {"stock", words::stock}};

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
