#include "abcl/server/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "abcl/check/names.hpp"
#include "abcl/format/format.hpp"
#include "abcl/load/files.hpp"
#include "abcl/server/index.hpp"
#include "abcl/server/messages.hpp"

namespace abcl {
namespace {

using json = nlohmann::json;

// ---- places: the protocol counts lines and UTF-16 units from 0

json position_of(const source& from, std::uint32_t offset) {
  const int line = from.place_of(offset).line;
  int units = 0;
  for (const char c : from.text({from.begin_of_line(line), offset})) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0 ? 2 : 1;
  }
  return {{"line", line - 1}, {"character", units}};
}

json range_of(const source& from, span s) {
  return {{"start", position_of(from, s.begin)}, {"end", position_of(from, s.end)}};
}

std::uint32_t offset_of(const source& from, const json& position) {
  const auto given_line = position.at("line").get<std::int64_t>();
  auto units = position.at("character").get<std::int64_t>();
  if (given_line < 0 || given_line >= from.lines()) return from.end();
  const int line = static_cast<int>(given_line) + 1;
  std::uint32_t at = from.begin_of_line(line);
  const std::uint32_t end = at + static_cast<std::uint32_t>(from.line(line).size());
  while (at < end && units > 0) {
    const auto byte = static_cast<unsigned char>(from.text({at, at + 1})[0]);
    units -= byte >= 0xF0 ? 2 : 1;
    do ++at;
    while (at < end && (static_cast<unsigned char>(from.text({at, at + 1})[0]) & 0xC0U) == 0x80U);
  }
  return at;
}

// ---- file:// names

// A % that two hexadecimal digits do not follow stands for itself.
std::string path_of(const std::string& uri) {
  constexpr std::string_view scheme = "file://";
  std::string path;
  for (std::size_t i = uri.starts_with(scheme) ? scheme.size() : 0; i < uri.size(); ++i) {
    const char* const digits = uri.data() + i + 1;
    unsigned char byte = 0;
    if (uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string uri_of(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte < 0x7F && std::string_view("%\"<>\\^`{|}").find(c) == std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// A text that is open in the editor, and what is known of it.
struct document {
  std::string uri;
  loaded of;
  std::unique_ptr<index> names;

  const source& text() const { return of.texts.all().front(); }
};

class server {
 public:
  server(std::istream& in, std::ostream& out) : stream_(in, out) {}

  int run() {
    while (const std::optional<json> message = stream_.receive()) {
      const json id = message->value("id", json());
      if (!message->contains("method")) {
        // An answer, which nobody has asked for; or neither that nor a request.
        if (!message->contains("result") && !message->contains("error"))
          stream_.send_error(id, no_request, "a request has a method");
        continue;
      }
      if (!message->at("method").is_string()) {
        stream_.send_error(id, no_request, "the method of a request is a text");
        continue;
      }
      const std::string method = message->at("method");
      if (method == "exit") return shut_down_ ? 0 : 1;
      const json parameters = message->value("params", json::object());
      if (message->contains("id")) {
        answer(id, method, parameters);
      } else {
        hear(method, parameters);
      }
    }
    return shut_down_ ? 0 : 1;
  }

 private:
  using question = json (server::*)(const json&);

  void answer(const json& id, const std::string& method, const json& parameters) {
    static const std::map<std::string, question> questions = {
        {"initialize", &server::initialize},
        {"shutdown", &server::shut_down},
        {"textDocument/hover", &server::hover},
        {"textDocument/definition", &server::definition},
        {"textDocument/references", &server::references},
        {"textDocument/completion", &server::completion},
        {"textDocument/prepareRename", &server::prepare_rename},
        {"textDocument/rename", &server::rename},
        {"textDocument/formatting", &server::format},
        {"textDocument/documentSymbol", &server::document_symbols},
    };
    const auto found = questions.find(method);
    if (found == questions.end()) {
      stream_.send_error(id, no_such_method, "no method " + method);
      return;
    }
    try {
      stream_.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", (this->*found->second)(parameters)}});
    } catch (const std::exception& e) {  // what the editor has sent is not as the protocol says
      stream_.send_error(id, wrong_parameters, e.what());
    }
  }

  // What is wrong with a notification, which has no answer, goes into the editor's log; the next one brings the whole
  // text again.
  void hear(const std::string& method, const json& parameters) {
    try {
      if (method == "textDocument/didOpen") {
        const json& text = parameters.at("textDocument");
        open(text.at("uri"), text.at("text"));
      } else if (method == "textDocument/didChange") {
        // The last of several has the text that is there now; where there is none, it has stayed.
        const json& changes = parameters.at("contentChanges");
        if (!changes.is_array()) throw std::invalid_argument("contentChanges is no array");
        if (!changes.empty()) open(parameters.at("textDocument").at("uri"), changes.back().at("text"));
      } else if (method == "textDocument/didClose") {
        open_.erase(parameters.at("textDocument").at("uri").get<std::string>());
      }
    } catch (const std::exception& e) {
      constexpr int error = 1;
      stream_.send({{"jsonrpc", "2.0"},
                    {"method", "window/logMessage"},
                    {"params", {{"type", error}, {"message", method + ": " + e.what()}}}});
    }
  }

  // ---- texts

  void open(const std::string& uri, const std::string& text) {
    document d;
    d.uri = uri;
    d.of = load_text(path_of(uri), text);
    d.names = std::make_unique<index>(*d.of.checked);
    tell(d);
    open_[uri] = std::move(d);
  }

  void tell(const document& d) {
    json all = json::array();
    for (const diagnostic& each : d.of.said.all()) {
      if (&d.of.texts.of(each.where) != &d.text()) continue;
      std::string message = each.message;
      if (!each.label.empty()) message += ": " + each.label;
      for (const std::string& help : each.help) message += "\n" + help;
      json related = json::array();
      for (const note& n : each.notes) related.push_back({{"location", location(d, n.where)}, {"message", n.text}});
      all.push_back({{"range", range_of(d.text(), each.where)},
                     {"severity", each.weight == severity::error ? 1 : 2},
                     {"code", name_of(each.number)},
                     {"source", "abcl"},
                     {"message", message},
                     {"relatedInformation", related}});
    }
    stream_.send({{"jsonrpc", "2.0"},
                  {"method", "textDocument/publishDiagnostics"},
                  {"params", {{"uri", d.uri}, {"diagnostics", all}}}});
  }

  const document& asked(const json& parameters) const {
    const auto uri = parameters.at("textDocument").at("uri").get<std::string>();
    const auto found = open_.find(uri);
    if (found == open_.end()) throw std::invalid_argument(uri + " is not open");
    return found->second;
  }

  json location(const document& d, span where) const {
    const source& from = d.of.texts.of(where);
    return {{"uri", &from == &d.text() ? d.uri : uri_of(from.name())}, {"range", range_of(from, where)}};
  }

  const symbol* symbol_at(const document& d, const json& parameters) const {
    return d.names->at(offset_of(d.text(), parameters.at("position")));
  }

  // ---- questions

  json initialize(const json&) {
    return {{"capabilities",
             {{"textDocumentSync", 1},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"documentSymbolProvider", true},
              {"documentFormattingProvider", true},
              {"renameProvider", {{"prepareProvider", true}}},
              {"completionProvider", {{"triggerCharacters", {":", "(", "["}}}}}},
            {"serverInfo", {{"name", "abcl"}, {"version", TSUBU_VERSION}}}};
  }

  json shut_down(const json&) {
    shut_down_ = true;
    return nullptr;
  }

  json hover(const json& parameters) {
    const document& d = asked(parameters);
    std::string text;
    if (const symbol* s = symbol_at(d, parameters)) {
      text = s->about;
    } else if (const library_function* f = d.names->library_at(offset_of(d.text(), parameters.at("position")))) {
      return {{"contents",
               {{"kind", "markdown"}, {"value", "```abcl\n" + signature(*f) + "\n```\n" + std::string(f->about)}}}};
    } else if (const type* t = d.names->type_at(offset_of(d.text(), parameters.at("position")))) {
      text = index::told(t);
    } else {
      return nullptr;
    }
    return {{"contents", {{"kind", "markdown"}, {"value", "```abcl\n" + text + "\n```"}}}};
  }

  json definition(const json& parameters) {
    const document& d = asked(parameters);
    const symbol* const s = symbol_at(d, parameters);
    return s == nullptr ? json() : location(d, s->defined);
  }

  json references(const json& parameters) {
    const document& d = asked(parameters);
    json all = json::array();
    const symbol* const s = symbol_at(d, parameters);
    if (s == nullptr) return all;
    if (parameters.value("context", json::object()).value("includeDeclaration", true))
      all.push_back(location(d, s->defined));
    for (const span each : s->used) all.push_back(location(d, each));
    return all;
  }

  // The target of the send whose message begins there, as in [c <== [:get; null where its type is not known.
  static const type* target_of(const document& d, std::uint32_t message) {
    const std::string_view all = d.text().text();
    std::size_t at = message - d.text().base();
    const auto spaces = [&] {
      while (at > 0 && std::string_view(" \t\r\n").find(all[at - 1]) != std::string_view::npos) --at;
    };
    spaces();
    if (at == 0 || all[at - 1] != '[') return nullptr;
    --at;
    spaces();
    const std::size_t end_of_arrow = at;
    while (at > 0 && (all[at - 1] == '<' || all[at - 1] == '=')) --at;
    const std::string_view arrow = all.substr(at, end_of_arrow - at);
    if (arrow != "<=" && arrow != "<==" && arrow != "<<=" && arrow != "<<==") return nullptr;
    spaces();
    const std::size_t end = at;
    if (end == 0) return nullptr;
    if (const type* const t = d.names->type_at(d.text().base() + static_cast<std::uint32_t>(end) - 1)) return t;
    // Where the send is not complete, the variable of that name.
    while (at > 0 && std::string_view("()[]!;\"$ \t\n\r").find(all[at - 1]) == std::string_view::npos) --at;
    for (const variable& v : d.of.checked->variables) {
      if (v.name == all.substr(at, end - at)) return v.of;
    }
    return nullptr;
  }
  // Whether it takes messages with that tag; of what is no object, nothing is known.
  static bool understands(const document& d, const type* target, const std::string& tag) {
    if (target == nullptr) return true;
    for (const class_def& c : d.of.checked->classes) {
      if (c.of == target) target = c.interface;
    }
    return !target->is(type::kind::object) ||
           std::any_of(target->parts.begin(), target->parts.end(), [&](const type* m) { return m->name == tag; });
  }

  json completion(const json& parameters) {
    const document& d = asked(parameters);
    const std::uint32_t at = offset_of(d.text(), parameters.at("position"));
    std::uint32_t begin = at;
    const auto before = [&](std::uint32_t o) { return d.text().text({o - 1, o})[0]; };
    while (begin > d.text().base() &&
           std::string_view("()[]!;\"$ \t\n\r").find(before(begin)) == std::string_view::npos)
      --begin;
    const std::string_view word = d.text().text({begin, at});
    json items = json::array();
    std::set<std::string> seen;
    const auto add = [&](const std::string& name, const std::string& about, int kind) {
      if (name.starts_with(word) && seen.insert(name).second)
        items.push_back({{"label", name}, {"detail", about}, {"kind", kind}});
    };
    const type* const target = target_of(d, begin);
    for (const symbol& s : d.names->symbols()) {
      const bool is_tag = s.name.starts_with(':');
      if (!is_tag || understands(d, target, s.name)) add(s.name, s.about, is_tag ? 2 : 6);
    }
    for (const library_function& f : library_functions()) add(std::string(f.name), signature(f), 3);
    for (const std::string_view form : forms_of_the_language()) add(std::string(form), "", 14);
    return items;
  }

  json prepare_rename(const json& parameters) {
    const document& d = asked(parameters);
    const symbol* const s = symbol_at(d, parameters);
    if (s == nullptr || !s->may_be_renamed) return nullptr;
    const std::uint32_t at = offset_of(d.text(), parameters.at("position"));
    for (const span each : s->used) {
      if (each.begin <= at && at <= each.end) return range_of(d.text(), each);
    }
    return range_of(d.text(), s->defined);
  }

  // With the other name each name still has to mean what it does now. (What other files have of it is not looked at.)
  static void require_same_meaning(const document& d, const symbol& s, const std::string& name) {
    std::vector<span> places = s.used;
    places.push_back(s.defined);
    std::sort(places.begin(), places.end(), [](span a, span b) { return a.begin > b.begin; });
    std::string text(d.text().text());
    for (const span each : places) {
      if (&d.of.texts.of(each) != &d.text()) return;
      text.replace(each.begin - d.text().base(), each.end - each.begin, name);
    }
    const loaded renamed = load_text(path_of(d.uri), text);
    const std::string refused = "'" + name + "' cannot be its name: ";
    if (renamed.said.errors() > d.of.said.errors()) {
      const auto& all = renamed.said.all();
      const auto error =
          std::find_if(all.begin(), all.end(), [](const auto& e) { return e.weight == severity::error; });
      throw std::invalid_argument(refused + error->message);
    }
    const index after(*renamed.checked);
    const auto& before = d.names->symbols();
    const bool same = std::equal(before.begin(), before.end(), after.symbols().begin(), after.symbols().end(),
                                 [](const symbol& a, const symbol& b) { return a.used.size() == b.used.size(); });
    if (!same) throw std::invalid_argument(refused + "something else would be meant");
  }

  json rename(const json& parameters) {
    const document& d = asked(parameters);
    const symbol* const s = symbol_at(d, parameters);
    if (s == nullptr || !s->may_be_renamed) throw std::invalid_argument("there is no name here that can be changed");
    const std::string name = parameters.at("newName");
    diagnostics said;
    const source as_text("", name);
    const forms read_name = read(as_text, said);
    const bool is_name = !said.any_errors() && read_name.all.size() == 1 && read_name.all[0].is(form::kind::symbol) &&
                         read_name.all[0].where.end == name.size();
    if (!is_name || is_reserved(name) || is_operator(name)) throw std::invalid_argument("'" + name + "' is no name");
    require_same_meaning(d, *s, name);
    json changes = json::object();
    const auto change = [&](span where) {
      const json at = location(d, where);
      changes[at["uri"].get<std::string>()].push_back({{"range", at["range"]}, {"newText", name}});
    };
    change(s->defined);
    for (const span each : s->used) change(each);
    return {{"changes", changes}};
  }

  json format(const json& parameters) {
    const document& d = asked(parameters);
    if (d.of.unreadable) return json::array();
    return json::array({{{"range", range_of(d.text(), {d.text().base(), d.text().end()})},
                         {"newText", formatted(d.text(), d.of.read.front())}}});
  }

  json document_symbols(const json& parameters) {
    const document& d = asked(parameters);
    json all = json::array();
    const auto add = [&](std::string_view name, int kind, span whole, span own) {
      if (&d.of.texts.of(whole) != &d.text()) return;
      all.push_back({{"name", std::string(name)},
                     {"kind", kind},
                     {"range", range_of(d.text(), whole)},
                     {"selectionRange", range_of(d.text(), own)}});
    };
    for (const type_alias& a : d.of.checked->aliases) add(a.name, 26, a.where, a.name_where);
    for (const class_def& c : d.of.checked->classes) add(c.name, 5, c.where, c.name_where);
    for (const function_def& f : d.of.checked->functions) add(f.name, 12, f.where, f.name_where);
    return all;
  }

  message_stream stream_;
  std::map<std::string, document> open_;
  bool shut_down_ = false;
};

}  // namespace

int serve(std::istream& in, std::ostream& out) { return server(in, out).run(); }

}  // namespace abcl
