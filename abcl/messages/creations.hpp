// Objects that are created.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

values create(const context& at, const tree::create& e);

}  // namespace abcl::messages
