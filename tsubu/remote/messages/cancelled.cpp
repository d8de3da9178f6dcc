#include "tsubu/remote/messages/cancelled.hpp"

#include <string_view>
#include <utility>

namespace tsubu {
namespace {

constexpr std::string_view asked_begin = "cancelled by PE ";
constexpr std::string_view time_up_begin = "cancelled: the time was up that was set by PE ";
constexpr std::string_view place_begin = " at ";

std::string text(pe_id pe, const std::string& file, std::uint32_t line, cancelled::reason why) {
  std::string all(why == cancelled::reason::asked ? asked_begin : time_up_begin);
  return all.append(std::to_string(pe)).append(place_begin).append(file).append(":").append(std::to_string(line));
}

}  // namespace

cancelled::cancelled(pe_id pe, std::string file, std::uint32_t line, reason why)
    : std::runtime_error(text(pe, file, line, why)), pe_(pe), file_(std::move(file)), line_(line), why_(why) {}

}  // namespace tsubu
