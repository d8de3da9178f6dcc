// A frame has every body of every PE once, by number; a directory that cannot be made is told on every PE.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "apps/nbody/frames.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
namespace fs = std::filesystem;

// Empty, if it is as it should be.
std::string trouble_in(const fs::path& file, int bodies) {
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < 4; ++i) std::getline(in, line);
  if (line != "DATASET POLYDATA") return "expected DATASET POLYDATA, got " + line;
  std::string word;
  int count = 0;
  in >> word >> count >> word;
  if (count != bodies) return "expected " + std::to_string(bodies) + " points, got " + std::to_string(count);
  for (int i = 0; i < bodies; ++i) {
    double x = 0, y = 0, z = 0;
    in >> x >> y >> z;
    if (x != i || y != 0.5 || z != -2) return "point " + std::to_string(i) + " is wrong";
  }
  while (in >> word && word != "LOOKUP_TABLE") {
  }
  in >> word;
  for (int i = 0; i < bodies; ++i) {
    double speed = 0;
    in >> speed;
    if (!in || speed != 5) return "speed " + std::to_string(i) + " is wrong";
  }
  return (in >> word) ? "something follows the last speed" : "";
}

task<int> program(arguments) {
  const int bodies = 10 * pe_count() + 1;
  std::vector<nbody::body> mine;
  for (int i = bodies - 1 - this_pe(); i >= 0; i -= pe_count()) {
    nbody::body b;
    b.number = i;
    b.position = {static_cast<double>(i), 0.5, -2};
    b.velocity = {3, 0, 4};
    mine.push_back(b);
  }
  std::string made;
  if (this_pe() == 0) {
    std::string name = (fs::temp_directory_path() / "nbody_frames_XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) made = name;
  }
  const fs::path directory = co_await broadcast(std::move(made));
  std::string wrong = co_await nbody::write_frame(directory / "new", 7, &mine);
  const fs::path file = directory / "new" / "frame_00007.vtk";
  if (wrong.empty() && this_pe() == 0) wrong = trouble_in(file, bodies);
  const std::string below_a_file = co_await nbody::write_frame(file / "below", 0, &mine);
  if (below_a_file.find("--frames: cannot make ") != 0) wrong += "a directory below a file was not complained of";
  co_await barrier();
  if (this_pe() == 0) fs::remove_all(directory);
  if (!wrong.empty()) std::fprintf(stderr, "frames_test: %s\n", wrong.c_str());
  co_return wrong.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
