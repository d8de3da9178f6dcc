#include "abcl/check/special_forms.hpp"

#include <algorithm>
#include <limits>

namespace abcl {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

// As deep as brackets may be nested: what is behind a branch is inside of it for the passes that follow.
constexpr std::size_t most_branches = 500;

constexpr special_form table[] = {
    {"@", destination_form, 1, 1, "(@ name)"},
    {"aref", element_form, 2, 2, "(aref array index)"},
    {"array", written_array_form, 1, any_number, "(array element ...)"},
    {"atomic", atomic_form, 0, any_number, "(atomic form ...)", true},
    {"begin", begin_form, 0, any_number, "(begin form ...)", true},
    {"break", break_form, 0, 0, "(break)", true},
    {"cond", cond_form, 1, most_branches, "(cond (condition form ...) ... (else form ...))", true},
    {"exit", exit_form, 1, 1, "(exit code)"},
    {"expect", expect_form, 1, 1, "(expect condition)"},
    {"for", for_form, 1, any_number, "(for (name first end) form ...)", true},
    {"if", if_form, 2, 3, "(if condition then) or (if condition then else)", true},
    {"length", length_form, 1, 1, "(length array)"},
    {"let", let_form, 1, any_number, "(let ((Type name value) ...) form ...)", true},
    {"make-array", array_form, 2, 2, "(make-array length value)"},
    {"make-future", make_future_form, 0, 0, "(make-future)"},
    {"match", match_form, 2, any_number, "(match value (=> [name ...] form ...) ...)", true},
    {"my-node", node_form, 0, 0, "(my-node)"},
    {"new", creation_form, 1, any_number, "(new Class argument ...) or (new Class argument ... :on node)"},
    {"next-value", of_future_form, 1, 1, "(next-value future)"},
    {"non-resume", leave_form, 0, 0, "(non-resume)"},
    {"null?", null_form, 1, 1, "(null? object)"},
    {"num-node", node_form, 0, 0, "(num-node)"},
    {"print", print_form, 0, any_number, "(print value ...)"},
    {"ready?", of_future_form, 1, 1, "(ready? future)"},
    {"script", script_form, 0, any_number, "(script (==> [name ...] form ...) ...)"},
    {"subarray", subarray_form, 3, 3, "(subarray array from to)"},
    {"suicide", leave_form, 0, 0, "(suicide)"},
    {"sync", sync_form, 2, any_number, "(sync name form ...)"},
    {"sync*", sync_all_form, 2, any_number, "(sync* (name ...) form ...)"},
    {"sync2", sync_form, 3, 3, "(sync2 name first second)"},
    {"touch", of_future_form, 1, 1, "(touch future)"},
    {"wait-for", wait_for_form, 1, any_number, "(wait-for (=> [name ...] form ...) ...)", true},
    {"while", while_form, 1, any_number, "(while condition form ...)", true},
};
static_assert(std::ranges::is_sorted(table, {}, &special_form::name));

}  // namespace

std::span<const special_form> special_forms() { return table; }

const special_form* find_special_form(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(table, name, {}, &special_form::name);
  return found != std::end(table) && found->name == name ? found : nullptr;
}

}  // namespace abcl
