// Values of nested types in a message's bytes. The first byte chooses the types; the rest is a packet. What is read and
// written again has the same bytes, where the types have one form only.
#include <algorithm>
#include <array>
#include <cereal/types/array.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/input.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::fuzz {
namespace {

struct body {
  std::array<double, 16> place{};
  std::string name;
  std::vector<std::string> words;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(place, name, words);
  }
};

struct tree {
  std::uint16_t value = 0;
  std::vector<tree> below;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value, below);
  }
};

struct corner {
  float x, y;
  char tag;
};

template <class... T>
void read_packet(bytes packet) {
  const auto* begin = reinterpret_cast<const std::byte*>(packet.data());
  std::vector<std::byte> again;
  wire::layout<T...>::read_variable(begin, begin + packet.size(), [&again](const T&... values) {
    wire::layout<T...>::write_variable(again, values...);
  });
  expect(std::equal(again.begin(), again.end(), begin, begin + packet.size()), "a value with two forms");
}

using reader = void (*)(bytes);
constexpr std::array<reader, 10> readers{
    read_packet<std::string>,
    read_packet<std::vector<std::string>, char>,
    read_packet<std::vector<std::vector<std::uint16_t>>, long>,
    read_packet<body>,
    read_packet<std::vector<body>>,
    read_packet<tree>,
    read_packet<std::vector<corner>, std::vector<std::pair<int, std::string>>>,
    read_packet<std::vector<std::vector<body>>, std::vector<double>>,
    read_packet<std::pair<std::string, std::vector<std::pair<std::string, std::vector<char>>>>>,
    read_packet<std::vector<std::array<std::vector<int>, 3>>>,
};

}  // namespace

void read_input(bytes input) {
  if (input.empty()) return;
  try {
    readers[input[0] % readers.size()](input.subspan(1));
  } catch (const wire::bad_bytes& error) {
    check_refusal(error.what(), "");
  }
}

}  // namespace tsubu::fuzz
