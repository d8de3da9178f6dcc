#include "apps/nbody/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "tsubu/base/files.hpp"
#include "tsubu/containers/gather_concatenated.hpp"

namespace nbody {

using namespace tsubu;

namespace {

struct shown {
  std::int64_t number = 0;
  point position;
  double speed = 0;
};

std::string as_vtk(const std::vector<shown>& all) {
  std::string text =
      fmt::format("# vtk DataFile Version 3.0\nnbody\nASCII\nDATASET POLYDATA\nPOINTS {} float\n", all.size());
  auto out = std::back_inserter(text);
  for (const shown& b : all) fmt::format_to(out, "{:.7g} {:.7g} {:.7g}\n", b.position.x, b.position.y, b.position.z);
  fmt::format_to(out, "VERTICES {} {}\n", all.size(), 2 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) fmt::format_to(out, "1 {}\n", i);
  fmt::format_to(out, "POINT_DATA {}\nSCALARS speed float 1\nLOOKUP_TABLE default\n", all.size());
  for (const shown& b : all) fmt::format_to(out, "{:.7g}\n", b.speed);
  return text;
}

std::string write(const std::filesystem::path& directory, std::int64_t number, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return fmt::format("--frames: cannot make {}: {}", directory.string(), error.message());
  const std::filesystem::path file = directory / fmt::format("frame_{:05}.vtk", number);
  const std::string trouble = tsubu::write_file({.file = file.string(), .mark = "# vtk"}, text);
  return trouble.empty() ? std::string() : fmt::format("--frames: cannot write {}: {}", file.string(), trouble);
}

}  // namespace

task<std::string> write_frame(std::filesystem::path directory, std::int64_t number, const std::vector<body>* bodies) {
  std::vector<shown> mine;
  for (const body& b : *bodies) mine.push_back({b.number, b.position, std::sqrt(dot(b.velocity, b.velocity))});
  std::vector<shown> all = co_await gather_concatenated(std::move(mine));
  std::string trouble;
  if (this_pe() == 0) {
    std::sort(all.begin(), all.end(), [](const shown& a, const shown& b) { return a.number < b.number; });
    trouble = write(directory, number, as_vtk(all));
  }
  co_return co_await broadcast(std::move(trouble));
}

}  // namespace nbody
