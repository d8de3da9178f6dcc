#include "tsubu/mpc/functions.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/mpc/state.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::mpc {
namespace {

struct function {
  const char* name;  // mangled, in the mapped file
  std::uintptr_t address;
};

struct function_table {
  std::vector<function> by_number;
  std::vector<function_number> by_address;  // numbers, sorted by address, then by number
  std::string digest_name;
  std::unique_ptr<wire::handler_entry> digest_entry;
};

// Immutable once the job starts.
function_table& table() {
  static function_table* const only = new function_table;
  return *only;
}

// Where the program was loaded: symbols are relative to it.
std::uintptr_t load_bias() {
  std::uintptr_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* first, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = first->dlpi_addr;
        return 1;
      },
      &bias);
  return bias;
}

// The whole program file, mapped for good: the names stay there.
std::span<const std::byte> map_program() {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat info{};
  if (file < 0 || ::fstat(file, &info) != 0) return {};
  const auto bytes = static_cast<std::size_t>(info.st_size);
  void* at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (at == MAP_FAILED) return {};
  return {static_cast<const std::byte*>(at), bytes};
}

// `count` things of type T at `offset`; empty if the file is too short.
template <class T>
std::span<const T> part(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return {};
  return {reinterpret_cast<const T*>(file.data() + offset), static_cast<std::size_t>(count)};
}

const ElfW(Shdr) * symbol_section(std::span<const ElfW(Shdr)> sections) {
  for (const unsigned wanted : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}}) {
    for (const ElfW(Shdr) & s : sections)
      if (s.sh_type == wanted && s.sh_link < sections.size()) return &s;
  }
  return nullptr;
}

std::vector<function> read_functions() {
  std::vector<function> found;
  const auto file = map_program();
  const auto header = part<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty()) return found;
  const auto sections = part<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  const ElfW(Shdr)* section = symbol_section(sections);
  if (section == nullptr) return found;
  const auto symbols = part<ElfW(Sym)>(file, section->sh_offset, section->sh_size / sizeof(ElfW(Sym)));
  const auto names = part<char>(file, sections[section->sh_link].sh_offset, sections[section->sh_link].sh_size);
  if (names.empty() || names.back() != 0) return found;
  const std::uintptr_t bias = load_bias();
  for (const ElfW(Sym) & s : symbols) {
    if ((s.st_info & 0xf) != STT_FUNC || s.st_shndx == SHN_UNDEF || s.st_name >= names.size()) continue;
    const char* name = &names[s.st_name];
    // What has C linkage does not tell its parameters, so it cannot be checked, and is not offered.
    if (name[0] == '_' && name[1] == 'Z') found.push_back({name, bias + s.st_value});
  }
  return found;
}

std::uint64_t digest_of(std::span<const function> functions) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const function& f : functions) {
    for (const char* c = f.name;; ++c) {
      hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211U;
      if (*c == 0) break;
    }
  }
  return hash;
}

// "(int, int)" of void(int, int).
std::string parameters_of(const std::type_info& type) {
  const std::string text = readable(type);
  const auto open = text.find('(');
  return open == std::string::npos ? std::string() : text.substr(open);
}

bool matches(const function& f, const std::type_info& parameters) {
  return parameters_match(readable(f.name), parameters_of(parameters));
}

std::size_t take_no_packets(const wire::run& r) {
  fail("PE " + std::to_string(r.from) + " sent a packet to the digest of the program's functions");
}

}  // namespace

bool parameters_match(std::string name, const std::string& parameters) {
  if (const auto clone = name.find(" [clone"); clone != std::string::npos) name.resize(clone);
  for (const std::string qualifier : {" &&", " &", " const"})
    if (name.ends_with(qualifier)) name.resize(name.size() - qualifier.size());
  if (!name.ends_with(')')) return false;
  // The "(" that the last ")" closes.
  std::size_t at = name.size();
  int depth = 0;
  do {
    --at;
    if (name[at] == ')') ++depth;
    if (name[at] == '(') --depth;
  } while (depth != 0 && at != 0);
  if (at == 0) return false;
  return name[at - 1] == '>' || name.compare(at, std::string::npos, parameters) == 0;
}

void number_functions() {
  static std::once_flag once;
  std::call_once(once, [] {
    function_table& t = table();
    t.by_number = read_functions();
    t.by_address.resize(t.by_number.size());
    for (function_number i = 0; i < t.by_address.size(); ++i) t.by_address[i] = i;
    std::sort(t.by_address.begin(), t.by_address.end(), [&](function_number a, function_number b) {
      return std::pair(t.by_number[a].address, a) < std::pair(t.by_number[b].address, b);
    });
    char digest[17];
    std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(digest_of(t.by_number)));
    // A handler that nobody calls: its name makes the digest a part of what PEs compare.
    t.digest_name = std::string("tsubu.mpc.functions.") + digest;
    t.digest_entry =
        std::make_unique<wire::handler_entry>(t.digest_name.c_str(), &take_no_packets, std::size_t{1}, nullptr, false);
  });
}

function_number number_of(any_function function, const std::type_info& parameters) {
  const function_table& t = table();
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  auto at = std::lower_bound(t.by_address.begin(), t.by_address.end(), address,
                             [&](function_number n, std::uintptr_t a) { return t.by_number[n].address < a; });
  // Several names may have one address: the first that has these parameters, on every node.
  for (; at != t.by_address.end() && t.by_number[*at].address == address; ++at) {
    if (my_state().is_checked(*at, parameters) || matches(t.by_number[*at], parameters)) {
      my_state().set_checked(*at, parameters);
      return *at;
    }
  }
  fail("a function is invoked that is not in the program's symbol table" +
       std::string(t.by_number.empty() ? ", which is empty" : "") +
       ": it must be a C++ function of the program itself (not of a shared library, not extern \"C\"), and a program "
       "that "
       "is stripped must be linked with -rdynamic");
}

any_function function_at(function_number number, const std::type_info& parameters, pe_id from) {
  const function_table& t = table();
  require(number < t.by_number.size(), "PE {} invokes function {}; the program has {}", from, number,
          t.by_number.size());
  const auto& f = t.by_number[number];
  if (!my_state().is_checked(number, parameters)) {
    require(
        matches(f, parameters), "PE {} invokes {} with {}", from, [&] { return readable(f.name); },
        [&] { return parameters_of(parameters); });
    my_state().set_checked(number, parameters);
  }
  return reinterpret_cast<any_function>(f.address);
}

}  // namespace tsubu::mpc
