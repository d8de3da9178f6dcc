// Promise: the heap keeps what can be reached, gives back the rest, and copies values with all that is in them.
#include "abcl/machine/heap.hpp"

#include <gtest/gtest.h>

namespace abcl::machine {
namespace {

TEST(heap, keeps_what_can_be_reached) {
  heap h;
  const word inner = h.make_array(2, 0, 1), outer = h.make_array(1, 1, 1), text = h.text("kept"), lost = h.text("lost");
  h.array_of(inner)->words = {5, text};
  h.array_of(outer)->words[0] = inner;
  EXPECT_EQ(h.size(), 4U);
  const std::vector<word> roots = {3, outer}, more = {0};
  h.collect({roots, more});
  EXPECT_EQ(h.size(), 3U);
  EXPECT_EQ(h.text_of(text), "kept");
  EXPECT_EQ(h.array_of(h.array_of(outer)->words[0])->words[0], 5U);
  EXPECT_EQ(h.text_of(lost), "");
  EXPECT_EQ(h.text("new"), lost) << "its place is used again";
}

TEST(heap, arrays_that_hold_each_other_are_given_back) {
  heap h;
  const word a = h.make_array(1, 0, 1), b = h.make_array(1, 0, 1);
  h.array_of(a)->words[0] = b;
  h.array_of(b)->words[0] = a;
  const std::vector<word> roots = {a};
  h.collect({roots});
  EXPECT_EQ(h.size(), 2U);
  h.collect({});
  EXPECT_EQ(h.size(), 0U);
}

TEST(heap, a_part_of_an_array_is_another_array_with_the_same_elements) {
  heap h;
  const word inner = h.make_array(1, 0, 1), row = h.make_array(3, 1, 2), nothings = h.make_array(3, 2, 0);
  h.array_of(row)->words = {1, inner, 2, inner, 3, 0};
  const word part = h.part(row, 1, 3);
  EXPECT_EQ(h.array_of(part)->words, (std::vector<word>{2, inner, 3, 0}));
  EXPECT_EQ(h.array_of(part)->layout, 1);
  h.array_of(part)->words[0] = 7;
  EXPECT_EQ(h.array_of(row)->words[2], 2U);
  EXPECT_EQ(h.array_of(h.part(nothings, 0, 2))->size(), 2U) << "elements without words";
  EXPECT_EQ(h.part(row, 2, 2), 0U);
  EXPECT_EQ(h.part(0, 0, 0), 0U);
  const std::vector<word> roots = {part};
  h.collect({roots});
  EXPECT_EQ(h.size(), 2U) << "it, and what is in it";
}

TEST(heap, constants_stay) {
  heap h;
  const word first = h.constant(3, "constant");
  h.collect({});
  EXPECT_EQ(h.constant(3, "constant"), first);
  EXPECT_EQ(h.text_of(first), "constant");
  EXPECT_EQ(h.constant(4, ""), 0U);
  EXPECT_EQ(h.text_of(0), "");
}

TEST(heap, numbers_are_no_handles) {
  heap h;
  const word text = h.text("x");
  EXPECT_EQ(h.text_of(1), "");
  EXPECT_EQ(h.array_of(text), nullptr);
  EXPECT_EQ(h.array_of(0), nullptr);
  EXPECT_EQ(h.text_of(text + 100), "");
}

TEST(heap, copies_have_all_that_is_in_them) {
  // Arrays of [Int Str], in an array.
  const std::vector<code::layout> layouts = {{0, 1}, {2}};
  heap from, to;
  const word row = from.make_array(2, 0, 2), rows = from.make_array(2, 1, 1);
  from.array_of(row)->words = {1, from.text("one"), 2, 0};
  from.array_of(rows)->words = {row, row};
  std::string bytes;
  from.save(rows, 3, layouts, bytes);
  std::string_view rest = bytes;
  const word copy = to.load(rest, 3, layouts);
  EXPECT_TRUE(rest.empty());
  const heap::array copied = *to.array_of(copy);
  ASSERT_EQ(copied.size(), 2U);
  EXPECT_NE(copied.words[0], copied.words[1]) << "what is shared is not, in a copy";
  for (const word each : copied.words) {
    const heap::array elements = *to.array_of(each);
    ASSERT_EQ(elements.size(), 2U);
    EXPECT_EQ(elements.words[0], 1U);
    EXPECT_EQ(to.text_of(elements.words[1]), "one");
    EXPECT_EQ(to.text_of(elements.words[3]), "");
  }
}

TEST(heap, is_full_by_its_bytes) {
  heap h;
  EXPECT_FALSE(h.is_full(0));
  h.make_array(1 << 20, 0, 1);
  EXPECT_TRUE(h.is_full(0)) << "one large array";
  h.collect({});
  EXPECT_FALSE(h.is_full(0));
  for (int i = 0; i < 1 << 16; ++i) h.text("x");
  EXPECT_TRUE(h.is_full(0)) << "many small texts";
}

}  // namespace
}  // namespace abcl::machine
