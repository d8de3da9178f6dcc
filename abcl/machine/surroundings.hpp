// What a processor is connected to: other nodes, the program's output, the world outside.
#pragma once

#include <cstdint>
#include <string>

#include "abcl/machine/word.hpp"

namespace abcl::machine {

// Nothing is called but while the processor executes a packet.
class surroundings {
 public:
  virtual void send(int node, const packet& p) = 0;
  // A text or an array for word `number` of `address`: what it is of, and its bytes.
  virtual void send_value(int node, const packet& p, int kind, std::string bytes) = 0;
  // The clocks since the last call.
  virtual void spend(std::uint64_t clocks) = 0;
  virtual void say(const std::string& line) = 0;
  virtual void exit(std::int64_t status) = 0;
  // Ends the job, or throws, to which execute() has an answer. `where`: a number of image::sites.
  [[noreturn]] virtual void fail(int where, const std::string& what) = 0;
  // The library's function with that number: its value; or, if it waits for the world outside, an answer to the object,
  // later.
  virtual word library(int number, word a, word b, word c, int where) = 0;
  virtual void ask_outside(int number, word object, int where) = 0;
  virtual int nodes() const = 0;
  virtual int neighbour(int k) const = 0;

 protected:
  ~surroundings() = default;
};

}  // namespace abcl::machine
