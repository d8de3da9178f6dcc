#include "eulash/analysis/graph.hpp"

#include <gtest/gtest.h>

namespace eulash {
namespace {

TEST(graph, what_is_stored_by_one_pointer_is_loaded_by_another) {
  graph g;
  const value p = g.fresh(), q = g.fresh(), stored = g.fresh(), loaded = g.fresh();
  const object cell = g.make_object(), target = g.make_object();
  g.point(p, cell);
  g.copy(p, q);
  g.point(stored, target);
  g.load(q, loaded);
  g.store(p, stored);
  g.solve();
  EXPECT_EQ(g.objects(loaded), std::set<object>{target});
}

TEST(graph, contents_are_copied_with_what_comes_later) {
  graph g;
  const value from = g.fresh(), to = g.fresh(), stored = g.fresh();
  const object a = g.make_object(), b = g.make_object(), target = g.make_object();
  g.point(from, a);
  g.point(to, b);
  g.copy_contents(from, to);
  g.store(from, stored);
  g.point(stored, target);
  g.solve();
  EXPECT_EQ(g.objects(g.held_by(b)), std::set<object>{target});
  EXPECT_TRUE(g.objects(0).empty());
}

}  // namespace
}  // namespace eulash
