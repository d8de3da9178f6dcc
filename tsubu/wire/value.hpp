// What may travel, and as which bytes.
//
// A trivially copyable value travels as its own bytes. Strings, vectors, maps and a program's own
// types travel through cereal (give the type a serialize() member or function). A pointer or a view
// means nothing on another PE and does not compile.
#pragma once

#include <cereal/cereal.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

// The standard containers that programs send most; others are one cereal include away.
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

namespace tsubu::wire {

// Types whose bytes hold an address of this process.
template <class T>
struct is_view : std::is_pointer<T> {};
template <class C, class Traits>
struct is_view<std::basic_string_view<C, Traits>> : std::true_type {};
template <class T, std::size_t N>
struct is_view<std::span<T, N>> : std::true_type {};
template <class T>
struct is_view<std::reference_wrapper<T>> : std::true_type {};

// Travels as its own bytes.
template <class T>
concept plain = std::is_trivially_copyable_v<T> && !is_view<T>::value && !std::is_member_pointer_v<T>;

// Travels as no bytes at all: there is only one value of it.
template <class T>
concept weightless = plain<T> && std::is_empty_v<T> && std::is_default_constructible_v<T>;

template <class T>
inline constexpr std::size_t plain_bytes = weightless<T> ? 0 : sizeof(T);

// A byte that came may be neither of the two that a bool can have: whatever is not 0 is true.
template <class T>
T load([[maybe_unused]] const std::byte* from) {
  if constexpr (weightless<T>) {
    return T{};
  } else if constexpr (std::is_same_v<T, bool>) {
    return *from != std::byte{0};
  } else {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    return std::bit_cast<T>(bytes);
  }
}

// A scalar is stored as what it is, wherever it lies: copied bytes might be anybody's, and a loop that sends would have
// to read its own variables again after each of them, where they lie in memory (as in a coroutine's frame).
template <class T>
void store(std::byte* to, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    using anywhere [[gnu::aligned(1)]] = T;
    *reinterpret_cast<anywhere*>(to) = value;
  } else {
    std::memcpy(to, static_cast<const void*>(&value), sizeof(T));
  }
}

// Thrown by a reader that runs out of bytes or finds some left: what came is not what the types say.
struct bad_bytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A cereal archive that appends to a buffer.
class writer : public cereal::OutputArchive<writer, cereal::AllowEmptyClassElision> {
 public:
  explicit writer(std::vector<std::byte>& to) : OutputArchive(this), to_(to) {}
  void saveBinary(const void* data, std::streamsize bytes) {
    if (bytes == 0) return;
    // Not insert(): g++ 12 warns of an overflow that is none.
    const std::size_t begin = to_.size();
    to_.resize(begin + static_cast<std::size_t>(bytes));
    std::memcpy(to_.data() + begin, data, static_cast<std::size_t>(bytes));
  }

 private:
  std::vector<std::byte>& to_;
};

// A cereal archive that reads a range of bytes, and never past it.
class reader : public cereal::InputArchive<reader, cereal::AllowEmptyClassElision> {
 public:
  reader(const std::byte* begin, const std::byte* end) : InputArchive(this), next_(begin), end_(end) {}
  void loadBinary(void* data, std::streamsize bytes) {
    if (bytes < 0 || bytes > end_ - next_) throw bad_bytes("the packet ends inside a value");
    if (bytes == 0) return;  // an empty vector has no address to copy to
    std::memcpy(data, next_, static_cast<std::size_t>(bytes));
    next_ += bytes;
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  const std::byte* next() const { return next_; }

 private:
  const std::byte* next_;
  const std::byte* end_;
};

template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

template <arithmetic T>
void CEREAL_SAVE_FUNCTION_NAME(writer& out, const T& value) {
  out.saveBinary(&value, sizeof value);
}
template <arithmetic T>
void CEREAL_LOAD_FUNCTION_NAME(reader& in, T& value) {
  std::array<std::byte, sizeof(T)> bytes;
  in.loadBinary(bytes.data(), sizeof value);
  value = load<T>(bytes.data());
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(writer& out, cereal::NameValuePair<T>& pair) {
  out(pair.value);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(reader& in, cereal::NameValuePair<T>& pair) {
  in(pair.value);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(writer& out, const cereal::SizeTag<T>& tag) {
  out(static_cast<std::uint64_t>(tag.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(reader& in, cereal::SizeTag<T>& tag) {
  std::uint64_t size = 0;
  in(size);
  // Every element takes a byte at least, or none at all; a length beyond that is garbage that would
  // otherwise become a huge allocation.
  if (size > in.left() && size > 1U << 16)
    throw bad_bytes("a length of " + std::to_string(size) + " with " + std::to_string(in.left()) + " bytes left");
  tag.size = static_cast<std::decay_t<T>>(size);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(writer& out, const cereal::BinaryData<T>& data) {
  out.saveBinary(data.data, static_cast<std::streamsize>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(reader& in, cereal::BinaryData<T>& data) {
  in.loadBinary(data.data, static_cast<std::streamsize>(data.size));
}

// Vectors of plain elements, a program's own types among them, travel as one block of bytes.
template <class T, class A>
  requires(plain<T> && !arithmetic<T> && std::is_default_constructible_v<T>)
void CEREAL_SAVE_FUNCTION_NAME(writer& out, const std::vector<T, A>& values) {
  out(static_cast<std::uint64_t>(values.size()));
  out.saveBinary(values.data(), static_cast<std::streamsize>(values.size() * sizeof(T)));
}
template <class T, class A>
  requires(plain<T> && !arithmetic<T> && std::is_default_constructible_v<T>)
void CEREAL_LOAD_FUNCTION_NAME(reader& in, std::vector<T, A>& values) {
  std::uint64_t size = 0;
  in(size);
  if (size > in.left() / sizeof(T))
    throw bad_bytes("a length of " + std::to_string(size) + " with " + std::to_string(in.left()) + " bytes left");
  values.resize(size);
  in.loadBinary(values.data(), static_cast<std::streamsize>(size * sizeof(T)));
}

// Other vectors grow with what is read of them: a length that the bytes do not bear out takes no more memory than they
// do.
template <class T, class A>
  requires(!plain<T>)
void CEREAL_LOAD_FUNCTION_NAME(reader& in, std::vector<T, A>& values) {
  std::size_t size = 0;
  in(cereal::make_size_tag(size));
  values.clear();
  values.reserve(std::min(size, in.left() / sizeof(T)));
  for (std::size_t i = 0; i < size; ++i) in(values.emplace_back());
}

template <class T>
concept serializable =
    cereal::traits::is_output_serializable<T, writer>::value && cereal::traits::is_input_serializable<T, reader>::value;

// What a packet may carry.
template <class T>
concept sendable = !is_view<T>::value && (plain<T> || (serializable<T> && std::is_default_constructible_v<T>));

template <class T>
void put(writer& out, [[maybe_unused]] const T& value) {
  if constexpr (weightless<T>) {
    return;
  } else if constexpr (plain<T>) {
    out.saveBinary(&value, sizeof value);
  } else {
    out(value);
  }
}

template <class T>
T take([[maybe_unused]] reader& in) {
  if constexpr (weightless<T>) {
    return T{};
  } else if constexpr (plain<T>) {
    std::array<std::byte, sizeof(T)> bytes;
    in.loadBinary(bytes.data(), sizeof(T));
    return load<T>(bytes.data());
  } else {
    T value{};
    in(value);
    return value;
  }
}

}  // namespace tsubu::wire

CEREAL_REGISTER_ARCHIVE(tsubu::wire::writer)
CEREAL_REGISTER_ARCHIVE(tsubu::wire::reader)
CEREAL_SETUP_ARCHIVE_TRAITS(tsubu::wire::reader, tsubu::wire::writer)
