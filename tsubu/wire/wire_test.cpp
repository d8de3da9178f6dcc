// Promises: values survive the way into bytes and back; truncated or overlong bytes are found; views do
// not compile; handler numbers do not depend on the order of announcement.
#include <gtest/gtest.h>

#include <cereal/types/memory.hpp>

#include "tsubu/wire/handler.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::wire {
namespace {

struct particle {
  double x, y;
  std::string name;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(x, y, name);
  }
};

static_assert(plain<int> && plain<std::array<double, 3>>);
static_assert(!sendable<int*> && !sendable<std::string_view> && !sendable<std::span<int>>);
static_assert(sendable<particle> && !plain<particle>);
struct named_at_birth {
  explicit named_at_birth(std::string n) : name(std::move(n)) {}
  std::string name;
  template <class A>
  void serialize(A& a) {
    a(name);
  }
};
static_assert(lacks_default<named_at_birth>::value && !sendable<named_at_birth>);
static_assert(lacks_default<std::map<int, std::vector<named_at_birth>>>::value);
static_assert(!sendable<std::vector<std::pair<int, named_at_birth>>> && !sendable<std::optional<named_at_birth>>);
static_assert(!lacks_default<std::map<std::string, particle>>::value && !lacks_default<int*>::value);
static_assert(sendable<std::map<std::string, std::vector<int>>>);
static_assert(!sendable<std::pair<int, char*>> && !sendable<std::vector<int*>> && !sendable<std::optional<int*>>);

// Trivially copyable, and cereal does not know it.
struct point {
  short x;
  double y;
  bool operator==(const point&) const = default;
};
// Trivially copyable, and travels within others as it says itself.
struct rounded {
  double value;
  bool operator==(const rounded&) const = default;
  template <class Archive>
  void save(Archive& archive) const {
    archive(static_cast<signed char>(value));
  }
  template <class Archive>
  void load(Archive& archive) {
    signed char whole = 0;
    archive(whole);
    value = whole;
  }
};
static_assert(plain<point> && plain<rounded> && !known_to_cereal<point> && known_to_cereal<rounded>);
// Functions for cereal of all shapes that it knows.
struct for_ours_alone {
  int value;
  void save(writer& out) const { out(value); }
  void load(reader& in) { in(value); }
};
struct by_direction {
  int value;
  template <class A, cereal::traits::EnableIf<A::is_saving::value> = cereal::traits::sfinae>
  void save(A& archive) const {
    archive(value);
  }
  template <class A, cereal::traits::EnableIf<A::is_loading::value> = cereal::traits::sfinae>
  void load(A& archive) {
    archive(value);
  }
};
struct not_as_text {
  int value;
  template <class A, cereal::traits::DisableIf<cereal::traits::is_text_archive<A>::value> = cereal::traits::sfinae>
  void serialize(A& archive) {
    archive(value);
  }
};
struct chained {
  int value;
  template <class A>
  auto serialize(A& archive) {
    return static_cast<void>(archive & value), 0;
  }
};
struct minimal {
  int value;
  template <class A>
  int save_minimal(const A&) const {
    return value;
  }
  template <class A>
  void load_minimal(const A&, const int& from) {
    value = from;
  }
};
struct outside {
  int value;
};
template <class A>
void serialize(A& archive, outside& o) {
  archive(o.value);
}
template <class... T>
concept all_known = (known_to_cereal<T> && ...) && (sendable<T> && ...) && (sendable<std::pair<T, std::string>> && ...);
static_assert(all_known<for_ours_alone, by_direction, not_as_text, chained, minimal, outside>);

struct unique {
  int value = 0;
  unique() = default;
  unique(const unique&) = delete;
};
static_assert(plain<unique> && !plain_within<unique> && !serializable<unique>);
static_assert(known_to_cereal<std::array<point, 3>> && known_to_cereal<std::optional<point>>);

struct nothing_at_all {};
struct nothing_at_all_but_equal {
  bool operator==(const nothing_at_all_but_equal&) const = default;
};
using of_three = std::tuple<char, std::pair<double, bool>, std::array<short, 3>>;
static_assert(fixed_size<std::pair<int, double>> && fixed_bytes<std::pair<int, double>> == 12);
static_assert(fixed_size<of_three> && fixed_bytes<of_three> == 16);
static_assert(fixed_size<std::tuple<>> && fixed_bytes<std::tuple<nothing_at_all, std::tuple<>>> == 0);
static_assert(!fixed_size<std::pair<int, std::string>> && !fixed_size<std::pair<int, int&>>);

TEST(packet, fixed_layout_is_back_to_back) {
  using l = layout<char, std::uint64_t, float>;
  EXPECT_EQ(l::packet_bytes, 13u);
  std::byte bytes[13];
  l::write(bytes, 'x', 77, 1.5f);
  l::read(bytes, [](char c, std::uint64_t n, float f) {
    EXPECT_EQ(c, 'x');
    EXPECT_EQ(n, 77u);
    EXPECT_EQ(f, 1.5f);
  });
}

TEST(packet, empty_layout_takes_one_byte) { EXPECT_EQ(layout<>::packet_bytes, 1u); }

TEST(packet, variable_layout_round_trip) {
  using l = layout<int, std::map<std::string, std::vector<double>>, particle>;
  EXPECT_EQ(l::packet_bytes, 0u);
  std::vector<std::byte> bytes;
  l::write_variable(bytes, 3, {{"a", {1, 2}}, {"b", {}}}, particle{1, 2, "p"});
  l::read_variable(bytes.data(), bytes.data() + bytes.size(),
                   [](int n, const std::map<std::string, std::vector<double>>& m, const particle& p) {
                     EXPECT_EQ(n, 3);
                     EXPECT_EQ(m.at("a"), (std::vector<double>{1, 2}));
                     EXPECT_EQ(p.name, "p");
                   });
}

TEST(packet, pairs_and_tuples_of_plain_values_are_back_to_back) {
  using l = layout<of_three, std::pair<int, nothing_at_all>, std::pair<const int, char>>;
  // Whether the last is plain, and so travels with its padding, depends on the compiler.
  EXPECT_EQ(l::packet_bytes, 16U + 4U + (plain<std::pair<const int, char>> ? 8U : 5U));
  std::byte bytes[l::packet_bytes];
  const of_three given{'x', {2.5, true}, {1, 2, 3}};
  l::write(bytes, given, {7, {}}, {8, 'y'});
  l::read(bytes,
          [&given](const of_three& came, std::pair<int, nothing_at_all> number, std::pair<const int, char> last) {
            EXPECT_EQ(came, given);
            EXPECT_EQ(number.first, 7);
            EXPECT_EQ(last, (std::pair<const int, char>(8, 'y')));
          });
}

// The values that a layout writes are those that it reads, and no part of their bytes is.
template <class... T>
void round_trip(const T&... given) {
  using l = layout<T...>;
  static_assert(!l::fixed);
  std::vector<std::byte> bytes;
  l::write_variable(bytes, given...);
  int read = 0;
  l::read_variable(bytes.data(), bytes.data() + bytes.size(), [&](auto&&... came) {
    EXPECT_TRUE(((came == given) && ...));
    ++read;
  });
  EXPECT_EQ(read, 1);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(l::read_variable(bytes.data(), bytes.data() + n, [](auto&&...) {}), bad_bytes) << n;
  }
}

TEST(packet, standard_types_round_trip) {
  using text = std::string;
  round_trip(std::vector<std::pair<int, double>>{{1, 2}, {3, 4}}, std::vector<of_three>(2), text("end"));
  round_trip(std::tuple(text("a"), 1, of_three()), std::pair(1, text("b")), std::vector<std::tuple<>>(3));
  round_trip(std::set<text>{"c", "d"}, std::deque<text>{"e"}, std::array<text, 2>{"f", "g"});
  round_trip(std::optional<text>("h"), std::optional<text>(), std::variant<int, text>("i"), std::variant<int, text>(1));
  round_trip(std::unordered_map<text, int>{{"j", 1}}, std::unordered_set<text>{"k"});
}

TEST(packet, plain_values_travel_within_what_goes_through_cereal) {
  using text = std::string;
  const point p{1, 2.5};
  round_trip(std::pair(p, text("a")), std::map<text, point>{{"b", p}}, std::variant<text, point>(p));
  round_trip(std::tuple(text("c"), std::array<point, 2>{p, p}, std::optional(p)),
             std::vector<std::tuple<text, point>>(3));
  round_trip(std::pair(nothing_at_all_but_equal(), text("d")));

  std::vector<std::byte> bytes;
  writer out(bytes);
  out(std::pair(rounded{2.75}, text()));
  EXPECT_EQ(bytes.size(), sizeof(signed char) + sizeof(std::uint64_t));
  reader in(bytes.data(), bytes.data() + bytes.size());
  std::pair<rounded, text> came;
  in(came);
  EXPECT_EQ(came.first, rounded{2});
}

TEST(packet, a_unique_pointer_takes_its_value_along) {
  using l = layout<std::unique_ptr<std::vector<int>>, std::unique_ptr<int>>;
  std::vector<std::byte> bytes;
  l::write_variable(bytes, std::make_unique<std::vector<int>>(3, 5), nullptr);
  l::read_variable(bytes.data(), bytes.data() + bytes.size(),
                   [](std::unique_ptr<std::vector<int>> three, std::unique_ptr<int> none) {
                     ASSERT_NE(three, nullptr);
                     EXPECT_EQ(*three, std::vector<int>(3, 5));
                     EXPECT_EQ(none, nullptr);
                   });
}

TEST(packet, absurd_number_of_pairs_is_found_before_it_is_allocated) {
  using l = layout<std::vector<std::pair<int, double>>>;
  std::vector<std::byte> bytes;
  writer out(bytes);
  out(std::uint64_t{40'000}, 1, 2.0);
  EXPECT_THROW(l::read_variable(bytes.data(), bytes.data() + bytes.size(), [](auto&&) {}), bad_bytes);
}

TEST(packet, every_truncation_is_found) {
  using l = layout<int, std::vector<std::string>>;
  std::vector<std::byte> bytes;
  l::write_variable(bytes, 3, {"hello", "world"});
  auto ignore = [](int, const std::vector<std::string>&) {};
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(l::read_variable(bytes.data(), bytes.data() + n, ignore), bad_bytes) << n;
  }
  bytes.push_back(std::byte{1});
  EXPECT_THROW(l::read_variable(bytes.data(), bytes.data() + bytes.size(), ignore), bad_bytes);
}

TEST(packet, absurd_length_is_found_before_it_is_allocated) {
  std::vector<std::byte> bytes(8, std::byte{0x7f});
  EXPECT_THROW(
      (layout<std::vector<int>>::read_variable(bytes.data(), bytes.data() + 8, [](const std::vector<int>&) {})),
      bad_bytes);
}

TEST(packet, damaged_bool_is_true) {
  const std::byte bytes[] = {std::byte{0xff}, std::byte{0}};
  layout<bool, bool>::read(bytes, [](bool damaged, bool good) {
    EXPECT_EQ(damaged, true);
    EXPECT_EQ(good, false);
  });
  std::vector<std::byte> variable;
  writer out(variable);
  out(std::uint8_t{0x80}, std::string("text"), std::uint8_t{2});
  layout<bool, std::pair<std::string, bool>>::read_variable(variable.data(), variable.data() + variable.size(),
                                                            [](bool first, const std::pair<std::string, bool>& rest) {
                                                              EXPECT_EQ(first, true);
                                                              EXPECT_EQ(rest, std::pair(std::string("text"), true));
                                                            });
}

struct counted_text {
  counted_text() { ++made; }
  std::string text;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
  }
  static inline int made = 0;
};

TEST(packet, length_that_the_bytes_do_not_bear_out_makes_no_elements) {
  using l = layout<std::vector<counted_text>>;
  std::vector<std::byte> bytes;
  writer out(bytes);
  out(std::uint64_t{60'000}, std::string("one"));
  EXPECT_THROW(l::read_variable(bytes.data(), bytes.data() + bytes.size(), [](const std::vector<counted_text>&) {}),
               bad_bytes);
  EXPECT_EQ(counted_text::made, 2);
}

std::size_t nothing(const run&) { return 0; }
handler_entry z{"1z", nothing, 4, nullptr, true};
handler_entry a{"1a", nothing, 8, nullptr, true};
handler_entry m{"1m", nothing, 0, nullptr, true};

int twice(int x) { return 2 * x; }
struct box {
  void add(int) {}
};
template <class...>
struct of_classes {};
template <auto...>
struct of_values {};
template <class, auto, class>
struct of_both {};
TEST(handler, a_target_is_named_as_in_the_program) {
  const auto target = [](const std::type_info& type) { return target_name(handler_entry(type.name())); };
  EXPECT_EQ(target(typeid(of_values<&twice>)), "tsubu::wire::(anonymous namespace)::twice");
  EXPECT_EQ(target(typeid(of_both<box, &box::add, of_classes<int, char>>)),
            "tsubu::wire::(anonymous namespace)::box::add");
  const auto lambda = [](int) {};
  EXPECT_EQ(target(typeid(of_classes<decltype(lambda), int>)).find("of_classes"), std::string::npos);
  EXPECT_EQ(target(typeid(of_classes<of_values<&twice>, of_classes<int>>)),
            "tsubu::wire::(anonymous namespace)::twice");
  EXPECT_EQ(target(typeid(of_classes<box, of_both<box, &box::add, int>>)),
            "tsubu::wire::(anonymous namespace)::box::add");
  EXPECT_EQ(target(typeid(of_classes<int>)), "tsubu::wire::(anonymous namespace)::of_classes<int>");
  EXPECT_EQ(target(typeid(twice)), "int (int)");
}

TEST(handler, numbers_follow_names) {
  number_handlers();
  EXPECT_LT(a.number, m.number);
  EXPECT_LT(m.number, z.number);
  EXPECT_GT(a.number, handshake_number);
  for (const handler_entry* h : handlers().subspan(1)) EXPECT_EQ(handlers()[h->number], h);
  for (const handler_entry* h : handlers().subspan(1)) EXPECT_EQ(number_in(h->code), h->number);
  EXPECT_NE(handlers_digest(), 0u);
  EXPECT_EQ(readable_name(a), "a");
}

TEST(handler, no_flipped_bit_makes_a_code_of_another) {
  for (std::uint32_t number = 1; number <= most_number; ++number) {
    const std::uint32_t code = code_of(number);
    ASSERT_EQ(number_in(code), number);
    ASSERT_EQ(code >> code_bits, 0U);
    for (std::uint32_t bit = 0; bit < code_bits; ++bit) {
      const std::uint32_t damaged = code ^ (std::uint32_t{1} << bit);
      ASSERT_NE(code_of(number_in(damaged)), damaged) << number << ", bit " << bit;
    }
  }
}

}  // namespace
}  // namespace tsubu::wire
