// Files that a user names.
//
// What is read is a regular file: to open a pipe that nobody writes into would wait for ever. An error in the midst of
// it is an error, and not its end. What is written is written beside its place, and takes it when it is whole: nobody
// ever finds half of it, not even when the job is killed. A file that is there already is replaced if it is of the same
// kind, or if the user says so; its mode and its owner stay. Links, devices and pipes are written through, and so is a
// file with several names (hard links), or of an owner that this process cannot give a new one to.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace tsubu {

// The text of a regular file. Without: `why` says why not, in a few words.
std::optional<std::string> read_file(const std::string& file, std::string& why);

// What is left to be read of an open descriptor, to its end: the standard input, for example.
std::optional<std::string> read_to_end(int descriptor, std::string& why);

// Where a link leads, or a link to a link, also if there is nothing yet; of anything else, and below /dev and /proc,
// its name.
std::string end_of_links(std::string file);

class written_file {
 public:
  struct target {
    std::string file;
    std::string_view mark;  // how files of this kind begin; what is there and begins otherwise is somebody else's
    bool force = false;     // replace it all the same
  };

  // trouble() is empty if the file can be written.
  explicit written_file(target to);
  written_file(const written_file&) = delete;
  written_file& operator=(const written_file&) = delete;
  // Without finish(), nothing has happened to the place.
  ~written_file();

  // For the text. Errors show in finish().
  std::FILE* stream() const { return out_; }

  // The file takes its place. False: it could not, as trouble() says.
  bool finish();

  // What is wrong, in a few words, without the name of the file.
  const std::string& trouble() const { return trouble_; }

 private:
  void open();
  void open_beside(bool exists);
  bool take_place();
  bool copy_into_place();
  bool close();

  target to_;
  std::string temporary_;  // beside the place; has a name in its folder only if is_named_
  bool in_place_ = false;  // what is printed goes there at once
  bool copied_ = false;    // the text goes into the file that is there when it is whole
  bool is_named_ = false;
  std::FILE* out_ = nullptr;
  std::string trouble_;
};

// The whole at once. Returns what is wrong, or nothing.
std::string write_file(const written_file::target& to, std::string_view text);

}  // namespace tsubu
