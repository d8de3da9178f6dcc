// Values of nested types in a message's bytes. The first byte chooses the types; the rest is a packet. What is read and
// written again has the same bytes; where a value has several forms, as a set of two equal numbers has, it does the
// second time.
#include <cereal/types/memory.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
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
std::vector<std::byte> written_again(std::span<const std::byte> packet) {
  std::vector<std::byte> again;
  wire::layout<T...>::read_variable(packet.data(), packet.data() + packet.size(), [&again](const T&... values) {
    wire::layout<T...>::write_variable(again, values...);
  });
  return again;
}

template <class... T>
void read_packet(bytes packet) {
  const std::span<const std::byte> given = std::as_bytes(packet);
  expect(std::ranges::equal(written_again<T...>(given), given), "a value with two forms");
}

template <class... T>
void read_packet_of_many_forms(bytes packet) {
  const std::vector<std::byte> usual = written_again<T...>(std::as_bytes(packet));
  expect(written_again<T...>(usual) == usual, "a value without a usual form");
}

using reader = void (*)(bytes);
constexpr std::array<reader, 17> readers{
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
    read_packet<std::vector<std::pair<int, double>>, std::vector<std::tuple<char, std::pair<short, char>>>>,
    read_packet<std::deque<std::tuple<std::string, int>>, std::tuple<>>,
    read_packet_of_many_forms<std::vector<std::tuple<bool, float>>, std::string>,
    read_packet_of_many_forms<std::optional<std::string>, std::optional<std::vector<body>>>,
    read_packet_of_many_forms<std::vector<std::variant<int, std::string, std::vector<double>>>>,
    read_packet_of_many_forms<std::set<std::string>, std::map<int, std::set<int>>>,
    read_packet_of_many_forms<std::unique_ptr<tree>, std::vector<std::unique_ptr<int>>>,
};

}  // namespace

void read_input(bytes input) {
  if (input.empty()) return;
  try {
    readers[input[0] % readers.size()](input.subspan(1));
  } catch (const wire::bad_bytes& error) {
    check_refusal(error.what(), "");
  } catch (const cereal::Exception& error) {
    check_refusal(error.what(), "");
  }
}

}  // namespace tsubu::fuzz
