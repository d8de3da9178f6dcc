// Random numbers by index, so that every PE makes the same one for the same index: splitmix64 (Steele, Lea, Flood
// 2014).
#pragma once

#include <cstdint>

inline std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
