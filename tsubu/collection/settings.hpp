// What a job's settings say of collections.
//
// They stand apart from the collector, so that a program without collected classes links none of it.
#pragma once

#include <cstdint>

namespace tsubu::collection {

// When a PE asks for a collection by itself. What it counts are objects of collected classes that are made on it.
enum class pace : std::uint8_t {
  off,        // never
  when_idle,  // when it has nothing to run, and has made a quarter as many as were left by the last collection
  automatic,  // the same; and when it has made as many as were left
  timed,      // when it has made some, and the last collection is so long ago
};

struct collection_settings {
  pace when = pace::off;
  std::int64_t every_ns = 0;       // timed
  std::int64_t slice_ns = 50'000;  // how long a PE looks at objects before it turns to what else there is
};

// What a PE of this job does; before its first object of a collected class. Local.
void configure(const collection_settings& settings);

// What configure() was given on this PE, or what holds where nothing was.
const collection_settings& configured();

}  // namespace tsubu::collection
