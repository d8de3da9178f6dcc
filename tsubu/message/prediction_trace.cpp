#include "tsubu/message/prediction_trace.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {
namespace {

// A message in a file.
struct traced {
  std::uint32_t handler;
  pe_id from;
  std::uint32_t head_bytes;
  std::array<std::byte, wire::ahead_functions::most_head_bytes> head;
};

constexpr std::string_view mark = "tsubu messages 1 ";

// The first line: what the file is, and of what program.
std::string first_line() {
  char digest[18];
  std::snprintf(digest, sizeof digest, "%016" PRIx64 "\n", wire::handlers_digest());
  return std::string(mark) + digest;
}

std::string file_of(const std::string& name, pe_id pe) { return name + '.' + std::to_string(pe); }

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  end_job(exit_code::usage, one_line("tsubu: " + file + ", a trace of messages (--tsubu-trace-predict): " + why));
}

}  // namespace

std::vector<noted_message> read_trace(const std::string& name, pe_id pe) {
  const std::string file = file_of(name, pe);
  std::string why;
  const std::optional<std::string> text = read_file(file, why);
  if (!text.has_value()) refuse(file, why + "; --tsubu-trace-record writes one, for a job of as many PEs");
  const std::string wanted = first_line();
  if (!text->starts_with(mark)) refuse(file, "it is none");
  if (!text->starts_with(wanted)) refuse(file, "it is of another program, or of this one as it was before");
  const std::size_t bytes = text->size() - wanted.size();
  if (bytes % sizeof(traced) != 0) refuse(file, "it ends inside a message");
  std::vector<noted_message> messages(bytes / sizeof(traced));
  const char* at = text->data() + wanted.size();
  for (noted_message& m : messages) {
    traced t;
    std::memcpy(&t, at, sizeof t);
    at += sizeof t;
    if (t.handler == 0 || t.handler >= wire::handlers().size() || t.head_bytes > t.head.size())
      refuse(file, "it is damaged");
    m.set(*wire::handlers()[t.handler], t.from, {t.head.data(), t.head_bytes});
  }
  return messages;
}

void write_trace(const std::string& name, pe_id pe, const std::vector<noted_message>& messages, bool force) {
  std::string text = first_line();
  for (const noted_message& m : messages) {
    const traced t{m.handler->number, m.from, m.head_bytes, m.head};
    text.append(reinterpret_cast<const char*>(&t), sizeof t);
  }
  const std::string file = file_of(name, pe);
  const std::string trouble = write_file({file, mark, force}, text);
  if (!trouble.empty())
    end_job(exit_code::failed, one_line("tsubu: " + file + " (--tsubu-trace-record) cannot be written: " + trouble));
}

}  // namespace tsubu::message
