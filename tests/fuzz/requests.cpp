// Requests of RESP, as kv reads and executes them. The first byte says in what pieces the rest comes. The same requests
// are found in one piece, none is larger than it may be, and each that is known has a reply that ends its line.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "apps/kv/commands.hpp"
#include "apps/kv/resp.hpp"
#include "apps/kv/store.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {
namespace {

constexpr kv::request_limits most{.word_bytes = 1000, .words = 20, .request_bytes = 5000};

struct reading {
  std::vector<std::vector<std::string>> requests;
  std::string trouble;
};

reading read_in_pieces(std::string_view text, std::size_t piece) {
  reading all;
  kv::request_reader reader(most);
  std::string left;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    left += text.substr(0, piece);
    for (;;) {
      const std::vector<char> exactly(left.begin(), left.end());  // whose end a sanitizer knows
      const auto found = reader.read({exactly.data(), exactly.size()});
      if (found == kv::request_reader::found::more_is_needed) break;
      if (found == kv::request_reader::found::broken) {
        all.trouble = reader.trouble();
        return all;
      }
      std::size_t bytes = 0;
      for (const std::string_view word : reader.words()) bytes += word.size();
      expect(bytes <= std::max<std::size_t>(most.request_bytes, 65536), "a request is larger than it may be");
      all.requests.emplace_back(reader.words().begin(), reader.words().end());
      left.erase(0, reader.size());
    }
  }
  return all;
}

void execute_all(const reading& read) {
  kv::store keys(1, 20'000);
  std::int64_t now = 1;
  for (const std::vector<std::string>& request : read.requests) {
    if (request.empty()) continue;
    const std::vector<std::string_view> words(request.begin(), request.end());
    const kv::command_facts& facts = kv::facts_of(words[0]);
    std::string reply;
    if (const std::string trouble = kv::trouble_with(facts, words); !trouble.empty()) {
      kv::add_error(reply, trouble);
      expect(reply.find('\n') == reply.size() - 1, "an error has several lines");
    } else if (kv::has_one_key(facts.which)) {
      kv::execute(facts.which, words, keys, now, reply);
    } else {
      kv::answer(facts.which, words, reply);
    }
    expect(reply.ends_with("\r\n"), "a reply does not end its line");
    expect(keys.bytes() <= 20'000, "the store holds more than it may");
    now += 1'000'000'000;
  }
}

}  // namespace

void read_input(bytes input) {
  if (input.empty()) return;
  const std::string_view text = text_of(input.subspan(1));
  const reading whole = read_in_pieces(text, text.size() + 1);
  const reading parts = read_in_pieces(text, 1 + input[0]);
  expect(whole.requests == parts.requests && whole.trouble == parts.trouble, "pieces are read as other requests");
  execute_all(whole);
}

}  // namespace tsubu::fuzz
