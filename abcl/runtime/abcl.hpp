// All that a compiled ABCL/ST program includes.
#pragma once

#include "abcl/runtime/arithmetic.hpp"
#include "abcl/runtime/box.hpp"
#include "abcl/runtime/express_scopes.hpp"
#include "abcl/runtime/name.hpp"
#include "abcl/runtime/nested_call.hpp"
#include "abcl/runtime/not_resumed.hpp"
#include "abcl/runtime/object.hpp"
#include "abcl/runtime/program.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/values.hpp"
#include "tsubu/object/request.hpp"
#include "tsubu/task/yield.hpp"
