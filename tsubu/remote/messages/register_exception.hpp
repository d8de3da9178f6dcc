// Exceptions of a program's own types that keep their type from PE to PE: remote_error.hpp says how.
#pragma once

#include <exception>
#include <type_traits>

#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu {

namespace remote {

template <class E>
void save_exception([[maybe_unused]] std::vector<std::byte>& state) {
  if constexpr (wire::fixed_size<E> || wire::serializable<E>) {
    try {
      throw;
    } catch (const E& error) {
      wire::writer out(state);
      wire::put(out, error);
    }
  }
}

template <class E>
std::exception_ptr make_exception(const error_report& report) {
  E error = made_with<E>(report.message);
  if constexpr (wire::fixed_size<E>) {
    wire::reader in(report.state.data(), report.state.data() + report.state.size());
    error = wire::take<E>(in);
  } else if constexpr (wire::serializable<E>) {
    wire::reader in(report.state.data(), report.state.data() + report.state.size());
    in(error);
    if (in.left() != 0) throw wire::bad_bytes(std::to_string(in.left()) + " bytes are left");
  }
  return std::make_exception_ptr(thrown<E>(std::move(error), report));
}

}  // namespace remote

// See remote_error.hpp.
// Local; does not block; two types of one name end the process.
template <class E>
bool register_exception() {
  static_assert(!std::is_final_v<E>,
                "an exception that is registered is not final: its caller gets one derived from it");
  constexpr bool usual = requires(std::exception& e) { static_cast<E&>(e); };
  static_assert(usual || !std::is_base_of_v<std::exception, E>,
                "an exception that is registered derives from std::exception once, and not virtually, if at all");
  static_assert(!std::is_base_of_v<remote_error, E>, "a remote_error keeps its type without being registered");
  remote::add_exception_type({&typeid(E), &remote::save_exception<E>, &remote::make_exception<E>});
  return true;
}

}  // namespace tsubu
