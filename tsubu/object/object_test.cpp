#include <gtest/gtest.h>
#include "tsubu/object/create.hpp"
TEST(object, size) { EXPECT_EQ(sizeof(tsubu::objects::object_base), 24U); }
