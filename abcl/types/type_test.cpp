// Promise: subtyping is that of docs/abcl: messages are contravariant in what an object accepts, a class is known by
// its interface, any object that accepts a T is a destination for it; types may name each other in circles.
#include <gtest/gtest.h>

#include "abcl/types/type.hpp"

namespace abcl {
namespace {

class subtyping : public ::testing::Test {
 protected:
  type_table t;
  const type* obj(std::vector<const type*> messages) { return t.object(std::move(messages)); }
  const type* m(std::string_view tag, std::vector<const type*> of) { return t.message(tag, std::move(of)); }
  bool one_way(const type* from, const type* to) { return t.fits(from, to) && !t.fits(to, from); }
};

TEST_F(subtyping, equal_types_are_one) {
  EXPECT_EQ(t.array(t.integer), t.array(t.integer));
  EXPECT_EQ(obj({m(":a", {}), m(":b", {})}), obj({m(":b", {}), m(":a", {}), m(":a", {})}));
  EXPECT_NE(m(":a", {}), m("", {}));
}

TEST_F(subtyping, who_understands_more_is_less) {
  const type* const few = obj({m(":get", {t.reply(t.integer)})});
  const type* const more = obj({m(":get", {t.reply(t.integer)}), m(":put", {t.integer})});
  EXPECT_TRUE(one_way(more, few));
  EXPECT_TRUE(one_way(few, obj({})));
  EXPECT_FALSE(t.fits(obj({m(":put", {t.real})}), obj({m(":put", {t.integer})}))) << "an Int is no Float";
}

TEST_F(subtyping, what_is_accepted_is_contravariant) {
  const type* const few = obj({m(":a", {})});
  const type* const more = obj({m(":a", {}), m(":b", {})});
  EXPECT_TRUE(one_way(obj({m(":take", {few})}), obj({m(":take", {more})})));
  // A reply destination stands in a message, and takes what it takes contravariantly itself: covariant.
  EXPECT_TRUE(one_way(obj({m(":give", {t.reply(more)})}), obj({m(":give", {t.reply(few)})})));
}

TEST_F(subtyping, destinations) {
  const type* const few = obj({m(":a", {})});
  const type* const more = obj({m(":a", {}), m(":b", {})});
  EXPECT_TRUE(one_way(t.reply(few), t.reply(more)));
  EXPECT_TRUE(one_way(obj({m("", {t.integer})}), t.reply(t.integer))) << "any object that accepts it";
  EXPECT_TRUE(t.fits(obj({m("", {t.real, t.real})}), t.reply(m("", {t.real, t.real}))));
  EXPECT_FALSE(t.fits(obj({m(":x", {t.integer})}), t.reply(t.integer)));
  EXPECT_TRUE(t.fits(t.nil, t.reply(t.integer)));
  EXPECT_TRUE(t.fits(t.nil, few));
  EXPECT_FALSE(t.fits(t.nil, t.integer));
}

TEST_F(subtyping, tuples_are_covariant_and_arrays_invariant) {
  const type* const few = obj({m(":a", {})});
  const type* const more = obj({m(":a", {}), m(":b", {})});
  EXPECT_TRUE(one_way(m("", {more, t.integer}), m("", {few, t.integer})));
  EXPECT_FALSE(t.fits(t.array(more), t.array(few)));
  EXPECT_FALSE(t.fits(t.future(more), t.future(few)));
}

TEST_F(subtyping, classes_may_name_each_other) {
  const type* const a = t.a_class("A");
  const type* const b = t.a_class("B");
  t.set_interface(a, obj({m(":next", {b})}));
  t.set_interface(b, obj({m(":next", {a})}));
  // A fits X if B fits Y (what is sent to X fits what A takes), and B fits Y if A fits X.
  const type* const takes_a = obj({m(":next", {a})});
  EXPECT_TRUE(t.fits(b, takes_a));
  EXPECT_FALSE(t.fits(a, takes_a)) << "A takes a B, and an A is none";
  EXPECT_FALSE(t.fits(a, b)) << "a class is known by its name";
  // An answer under an assumption that has turned out wrong is not kept.
  const type* const other = obj({m(":next", {takes_a}), m(":more", {})});
  EXPECT_FALSE(t.fits(a, other));
  EXPECT_TRUE(t.fits(b, takes_a));
}

TEST_F(subtyping, joins) {
  EXPECT_EQ(t.join(t.nothing, t.integer), t.integer);
  EXPECT_EQ(t.join(t.integer, t.real), nullptr);
  const type* const ab = obj({m(":a", {}), m(":b", {})});
  const type* const bc = obj({m(":b", {}), m(":c", {})});
  EXPECT_EQ(t.join(ab, bc), obj({m(":b", {})}));
  EXPECT_EQ(t.join(m("", {ab}), m("", {bc})), m("", {obj({m(":b", {})})}));
  EXPECT_EQ(t.join(t.nil, ab), ab);
}

TEST_F(subtyping, are_shown_as_they_are_written) {
  EXPECT_EQ(shown(obj({m(":put", {t.integer, t.reply(t.empty)})})), "(obj [:put Int (@ [])])");
  EXPECT_EQ(shown(m("", {t.real, t.array(t.a_class("C"))})), "[Float (array C)]");
}

TEST_F(subtyping, have_the_first_name_that_is_given_to_them) {
  const type* const row = t.array(t.integer);
  const type* const pair = m("", {t.integer, row});
  t.give_name(row, "Row");
  t.give_name(row, "Line");
  t.give_name(pair, "Pair");
  t.give_name(t.integer, "Id");
  EXPECT_EQ(shown(pair), "Pair");
  EXPECT_EQ(written_out(pair), "[Int Row]");
  EXPECT_EQ(spelled(pair), "[Int (array Int)]");
  EXPECT_EQ(shown(obj({pair})), "(obj [Int Row])") << "a message of an interface is not shown by a name";
  EXPECT_EQ(named_in(t.array(pair)), std::vector<const type*>{pair});
  EXPECT_EQ(named_in(obj({pair})), std::vector<const type*>{row});
}

}  // namespace
}  // namespace abcl
