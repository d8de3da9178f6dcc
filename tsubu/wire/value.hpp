// What may travel, and as which bytes.
//
// A trivially copyable value travels as its own bytes, and a pair or tuple of such values as those of one behind the
// other. Strings, the standard containers, optionals and variants of what is none of these, and a program's own types
// that are none travel through cereal (give such a type a serialize() member or function). A pointer or a view means
// nothing on another PE and does not compile.
#pragma once

#include <cereal/cereal.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// What programs send of the standard library; the rest is one cereal include away.
#include <cereal/types/array.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include "tsubu/wire/plain.hpp"

namespace tsubu::wire {

// Thrown by a reader that runs out of bytes or finds some left: what came is not what the types say.
struct bad_bytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A cereal archive that appends to a buffer.
class writer : public cereal::OutputArchive<writer, cereal::AllowEmptyClassElision> {
 public:
  explicit writer(std::vector<std::byte>& to);  // in value.cpp, with all that an archive of cereal has
  ~writer() override;
  void saveBinary(const void* data, std::streamsize bytes) {
    if (bytes == 0) return;
    std::memcpy(append(static_cast<std::size_t>(bytes)), data, static_cast<std::size_t>(bytes));
  }
  // Room for so many bytes more.
  std::byte* append(std::size_t bytes) {
    // Not insert(): g++ 12 warns of an overflow that is none.
    const std::size_t begin = to_.size();
    to_.resize(begin + bytes);
    return to_.data() + begin;
  }

 private:
  std::vector<std::byte>& to_;
};

// A cereal archive that reads a range of bytes, and never past it.
class reader : public cereal::InputArchive<reader, cereal::AllowEmptyClassElision> {
 public:
  reader(const std::byte* begin, const std::byte* end);
  ~reader() override;
  void loadBinary(void* data, std::streamsize bytes) {
    if (bytes < 0 || bytes > end_ - next_) throw bad_bytes("the packet ends inside a value");
    if (bytes == 0) return;  // an empty vector has no address to copy to
    std::memcpy(data, next_, static_cast<std::size_t>(bytes));
    next_ += bytes;
  }
  // The next `count` values of so many bytes each, which are taken as read.
  const std::byte* skip(std::uint64_t count, std::size_t each) {
    if (each != 0 && count > left() / each) {
      throw bad_bytes("a length of " + std::to_string(count) + " with " + std::to_string(left()) + " bytes left");
    }
    return std::exchange(next_, next_ + count * each);
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

// Archives that are never made: what cereal can write to and read from these it knows by itself, since ours take plain
// values besides. They have all that a class's functions for cereal may use.
struct other_writer : cereal::OutputArchive<other_writer> {
  template <class... T>
  other_writer& operator()(T&&...);
  template <class T>
  other_writer& operator&(T&&);
  template <class T>
  other_writer& operator<<(T&&);
};
struct other_reader : cereal::InputArchive<other_reader> {
  template <class... T>
  other_reader& operator()(T&&...);
  template <class T>
  other_reader& operator&(T&&);
  template <class T>
  other_reader& operator>>(T&&);
};
// The members of a class may be for our archives only.
template <class T>
concept known_to_cereal =
    cereal::traits::is_output_serializable<T, other_writer>::value ||
    cereal::traits::is_input_serializable<T, other_reader>::value ||
    cereal::traits::has_member_serialize<T, writer>::value || cereal::traits::has_member_save<T, writer>::value ||
    cereal::traits::has_member_load<T, reader>::value;

// A plain value of a class that cereal does not know travels as its own bytes within what goes through cereal, too: the
// first of a std::pair<point, std::string>. What cereal wraps values in has no default constructor, and what must not
// be copied, such as a concurrent object, is trivially copyable to compilers all the same.
template <class T>
concept plain_within = plain<T> && std::is_class_v<T> && !std::is_empty_v<T> && std::is_default_constructible_v<T> &&
                       std::is_copy_constructible_v<T> && !known_to_cereal<T>;
template <std::same_as<writer> W, class T>
  requires plain_within<T>
void CEREAL_SAVE_FUNCTION_NAME(W& out, const T& value) {
  out.saveBinary(&value, sizeof value);
}
template <std::same_as<reader> R, class T>
  requires plain_within<T>
void CEREAL_LOAD_FUNCTION_NAME(R& in, T& value) {
  in.loadBinary(static_cast<void*>(&value), sizeof value);
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
  const std::byte* const from = in.skip(size, sizeof(T));
  values.resize(size);
  if (size != 0) std::memcpy(static_cast<void*>(values.data()), from, size * sizeof(T));
}

// So do those of pairs and tuples.
template <class T, class A>
  requires(put_by_element<T> && std::is_default_constructible_v<T>)
void CEREAL_SAVE_FUNCTION_NAME(writer& out, const std::vector<T, A>& values) {
  out(static_cast<std::uint64_t>(values.size()));
  std::byte* to = out.append(values.size() * fixed_bytes<T>);
  for (const T& value : values) {
    store(to, value);
    to += fixed_bytes<T>;
  }
}
template <class T, class A>
  requires(put_by_element<T> && std::is_default_constructible_v<T>)
void CEREAL_LOAD_FUNCTION_NAME(reader& in, std::vector<T, A>& values) {
  std::uint64_t size = 0;
  in(cereal::make_size_tag(size));
  const std::byte* from = in.skip(size, fixed_bytes<T>);
  values.clear();
  values.reserve(size);
  for (std::uint64_t i = 0; i < size; ++i, from += fixed_bytes<T>) values.push_back(load<T>(from));
}

// Other vectors grow with what is read of them: a length that the bytes do not bear out takes no more memory than they
// do.
template <class T, class A>
  requires(!fixed_size<T>)
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

// What could be sent, had it a default constructor: what comes is read into a value that is made by default. So could
// what holds such values.
template <class T>
inline constexpr bool lacks_default_itself =
    !is_view<T>::value && !fixed_size<T> && serializable<T> && !std::is_default_constructible_v<T>;
template <class T>
struct lacks_default : std::bool_constant<lacks_default_itself<T>> {};
template <class T>
  requires requires { typename T::value_type; }
struct lacks_default<T> : std::bool_constant<lacks_default_itself<T> || lacks_default<typename T::value_type>::value> {
};
template <class A, class B>
struct lacks_default<std::pair<A, B>> : std::disjunction<lacks_default<std::remove_const_t<A>>, lacks_default<B>> {};
template <class... T>
struct lacks_default<std::tuple<T...>> : std::disjunction<lacks_default<T>...> {};

// What a packet may carry.
template <class T>
concept sendable = !is_view<T>::value && (fixed_size<T> || (serializable<T> && !lacks_default<T>::value));

// Could be sent, were one more header of cereal included: a smart pointer, a list or a queue of what can.
template <class T>
concept lacks_header =
    !is_view<T>::value && !sendable<T> && !lacks_default<T>::value && ((requires(const T& p) {
                                                                         p.get();
                                                                         requires sendable<typename T::element_type>;
                                                                       }) || requires(const T& c) {
      c.size();
      requires sendable<typename T::value_type>;
    });

template <class T>
void put(writer& out, const T& value) {
  if constexpr (fixed_size<T>) {
    store(out.append(fixed_bytes<T>), value);
  } else {
    out(value);
  }
}

template <class T>
T take(reader& in) {
  if constexpr (fixed_size<T>) {
    std::array<std::byte, fixed_bytes<T>> bytes;
    in.loadBinary(bytes.data(), fixed_bytes<T>);
    return load<T>(bytes.data());
  } else {
    T value{};
    in(value);
    return value;
  }
}

// Texts, which many a program sends, are read and written in the library.
extern template void put<std::string>(writer& out, const std::string& value);
extern template std::string take<std::string>(reader& in);

}  // namespace tsubu::wire

CEREAL_REGISTER_ARCHIVE(tsubu::wire::writer)
CEREAL_REGISTER_ARCHIVE(tsubu::wire::reader)
CEREAL_SETUP_ARCHIVE_TRAITS(tsubu::wire::reader, tsubu::wire::writer)
