// How declarations are written, for those who have written them in another way.
#pragma once

namespace abcl::usage {

inline constexpr const char* a_class =
    "a class is [class Name (obj [message ...] ...) ((Type argument) ...) (state (Type name := value) ...) form ...]";
inline constexpr const char* a_function = "a function is (function (Name (Type argument) ...) ResultType form ...)";
inline constexpr const char* an_alias = "for example (type Sink (obj [:put Int]))";
inline constexpr const char* foreign =
    "it is (foreign \"header.hpp\" (function (name (Type argument) ...) Type \"name in C++\") ...)";
inline constexpr const char* foreign_function =
    "a function of C++ is (function (name (Type argument) ...) Type \"name in C++\")";
inline constexpr const char* foreign_class =
    "a class of C++ is [class Name (obj [:method Type ...] ...) ((Type argument) ...) \"name in C++\"]";

}  // namespace abcl::usage
