#include "apps/mp3d/verification.hpp"

#include <fmt/core.h>

namespace mp3d {
namespace {

void add(std::string& to, const std::string& what) { to += to.empty() ? what : "; " + what; }

}  // namespace

std::string trouble_of(const outcome& began, const outcome& ended) {
  std::string trouble;
  const auto check_error = [&](const char* of, double error) {
    if (!(error <= accepted_error))
      add(trouble, fmt::format("the {} of a collision is kept to {:.3g}, expected {:g}", of, error, accepted_error));
  };
  check_error("momentum", ended.counted.momentum_error);
  check_error("energy", ended.counted.energy_error);
  const std::int64_t expected = began.in_stream + ended.counted.entered - ended.counted.left;
  if (ended.in_stream != expected)
    add(trouble, fmt::format("{} molecules are in the stream; expected {}, from those that entered and left",
                             ended.in_stream, expected));
  return trouble;
}

std::string difference(const outcome& ended, const outcome& expected) {
  std::string found;
  const auto compare = [&](const char* name, auto has, auto should) {
    if (has != should) add(found, fmt::format("{} {}, expected {}", name, has, should));
  };
  const counters &has = ended.counted, &should = expected.counted;
  compare("collisions", has.collisions, should.collisions);
  compare("boundary_hits", has.boundary_hits, should.boundary_hits);
  compare("plate_hits", has.plate_hits, should.plate_hits);
  compare("entered", has.entered, should.entered);
  compare("left", has.left, should.left);
  compare("in_stream", ended.in_stream, expected.in_stream);
  compare("momentum_error", has.momentum_error, should.momentum_error);
  compare("energy_error", has.energy_error, should.energy_error);
  compare("digest", ended.digest, expected.digest);
  return found;
}

}  // namespace mp3d
