// Which sanitizer this file is compiled with: TSUBU_ASAN and TSUBU_TSAN are 0 or 1 under g++ and clang.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TSUBU_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define TSUBU_TSAN 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) && !defined(TSUBU_ASAN)
#define TSUBU_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(TSUBU_TSAN)
#define TSUBU_TSAN 1
#endif

#ifndef TSUBU_ASAN
#define TSUBU_ASAN 0
#endif
#ifndef TSUBU_TSAN
#define TSUBU_TSAN 0
#endif
