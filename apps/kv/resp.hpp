// RESP, the protocol of Redis, versions 2 and 3: https://redis.io/docs/latest/develop/reference/protocol-spec/.
//
// Requests are read from bytes that arrive in any pieces, and that a stranger has sent: no length that they claim is
// believed beyond the limits, and no memory is taken for what has not come. Knows nothing of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct request_limits {
  std::size_t word_bytes = std::size_t{1} << 20;      // of an argument
  std::size_t words = 1 << 16;                        // of a request
  std::size_t request_bytes = std::size_t{16} << 20;  // all in all

  static constexpr request_limits none() {
    constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();
    return {.word_bytes = most, .words = most, .request_bytes = most};
  }
};

// Finds one request behind the other. Work done is not done again when more bytes come.
class request_reader {
 public:
  explicit request_reader(const request_limits& most = {}) : most_(most) {}

  enum class found { more_is_needed, request, broken };

  // `bytes` begin where a request begins, and are those of the call before with more behind them while that one said
  // more_is_needed.
  found read(std::string_view bytes);

  // The words of the request that was found, and how many bytes it has. There may be no words. They lie in `bytes`, or
  // in the reader until the next read.
  std::span<const std::string_view> words() const { return words_; }
  std::size_t size() const { return at_; }

  // What it has taken beside the bytes themselves.
  std::size_t memory_bytes() const {
    return places_.capacity() * sizeof(place) + words_.capacity() * sizeof(words_[0]) + inline_.capacity();
  }

  // Why it is broken: what Redis says to it, too.
  const std::string& trouble() const { return trouble_; }

 private:
  struct place {
    std::size_t at;
    std::size_t bytes;
  };

  found read_inline();
  // Adds the word that begins at `at` of a line to inline_, without its quotes. False: a quote does not end well.
  bool read_inline_word(std::string_view line, std::size_t& at);
  found read_words();
  // The number of a line of header, which begins with one character that tells its kind.
  found read_number(std::int64_t& number, std::string_view what);
  found finish(std::string_view in);
  found broken(std::string trouble);

  const request_limits most_;
  std::string_view bytes_;
  bool begun_ = false;
  std::size_t at_ = 0;            // what is before it has been read
  std::int64_t words_left_ = 0;   // of an array
  std::int64_t word_bytes_ = -1;  // of the word at at_; -1: its header comes first
  std::vector<place> places_;
  std::string inline_;  // the words of a line, without their quotes
  std::vector<std::string_view> words_;
  std::string trouble_;
};

// What a client has asked for by HELLO; 2 if it has not.
enum class protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

// Replies, each behind what `to` has.
void add_status(std::string& to, std::string_view text);  // without line ends in it
void add_error(std::string& to, std::string_view text);   // line ends become spaces
void add_number(std::string& to, std::int64_t number);
void add_bulk(std::string& to, std::string_view bytes);
void add_null(std::string& to, protocol as);
void add_null_array(std::string& to, protocol as);
void add_array(std::string& to, std::size_t elements);               // its elements follow
void add_map(std::string& to, std::size_t pairs, protocol as);       // keys and values follow in turns
void add_text(std::string& to, std::string_view text, protocol as);  // of lines, for people

// As a client writes it.
std::string as_request(std::span<const std::string_view> words);

}  // namespace kv
