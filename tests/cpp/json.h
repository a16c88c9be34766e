// Just enough of JSON to read test data.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace loom::test {

struct Json {
  enum class Kind { kNull, kBool, kNumber, kText, kList, kObject };
  Kind kind = Kind::kNull;
  double number = 0;  // of a bool: 0 or 1
  std::string text;
  std::vector<std::string> names;  // of an object, one for each item
  std::vector<Json> items;

  // Null where there is none of that name.
  const Json* Find(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return &items[i];
    }
    return nullptr;
  }
  double NumberOr(std::string_view name, double otherwise) const {
    const Json* found = Find(name);
    return found == nullptr ? otherwise : found->number;
  }
};

class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : at_(text.c_str()) {}

  // False where the text is no JSON, or has escapes in its strings beyond \" and \\.
  bool Read(Json& value) { return Value(value) && (Blanks(), *at_ == '\0'); }

 private:
  void Blanks() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }
  bool Take(std::string_view word) {
    if (std::string_view(at_).substr(0, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool Next(char c) {
    Blanks();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool Text(std::string& text) {
    if (!Next('"')) return false;
    for (; *at_ != '"'; ++at_) {
      if (*at_ == '\\') ++at_;
      if (*at_ == '\0' || (at_[-1] == '\\' && *at_ != '"' && *at_ != '\\')) return false;
      text += *at_;
    }
    ++at_;
    return true;
  }
  bool Value(Json& value) {
    Blanks();
    if (*at_ == '"') {
      value.kind = Json::Kind::kText;
      return Text(value.text);
    }
    if (*at_ == '{' || *at_ == '[') return Items(value, *at_ == '{');
    if (Take("null")) return true;
    value.kind = Json::Kind::kBool;
    if (Take("false")) return true;
    value.number = 1;
    if (Take("true")) return true;
    value.kind = Json::Kind::kNumber;
    char* end = nullptr;
    value.number = std::strtod(at_, &end);
    const bool found = end != at_ && (*at_ == '-' || (*at_ >= '0' && *at_ <= '9'));
    at_ = end;
    return found;
  }
  bool Items(Json& value, bool object) {
    value.kind = object ? Json::Kind::kObject : Json::Kind::kList;
    ++at_;
    const char close = object ? '}' : ']';
    if (Next(close)) return true;
    do {
      if (object) {
        Blanks();
        value.names.emplace_back();
        if (!Text(value.names.back()) || !Next(':')) return false;
      }
      value.items.emplace_back();
      if (!Value(value.items.back())) return false;
    } while (Next(','));
    return Next(close);
  }

  const char* at_;
};

}  // namespace loom::test
