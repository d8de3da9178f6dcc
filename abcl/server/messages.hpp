// The messages of the language server protocol: a header that says how long each is, and its JSON. Nothing of either is
// believed before it has been looked at.
#pragma once

#include <cstddef>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

namespace abcl {

class message_stream {
 public:
  message_stream(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  // The next message, an object; nothing at the end of the input. What is none is answered with an error, and passed
  // over: up to the next header, if its length is not known.
  std::optional<nlohmann::json> receive();

  void send(const nlohmann::json& message);
  void send_error(const nlohmann::json& id, int code, const std::string& why);

 private:
  bool next_line(std::string& line);
  bool read_body(std::size_t length, std::string& body);
  std::optional<std::size_t> length_in(const std::string& line);
  std::optional<nlohmann::json> parse(const std::string& body);

  std::istream& in_;
  std::ostream& out_;
};

// Codes of errors, by JSON-RPC 2.0.
inline constexpr int no_json = -32700, no_request = -32600, no_such_method = -32601, wrong_parameters = -32602;

}  // namespace abcl
