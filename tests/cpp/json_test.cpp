#include "json.h"

#include "support.h"

namespace loom::test {
namespace {

TEST(JsonTest, ReadsEveryKindOfValue) {
  Json json;
  ASSERT_TRUE(JsonReader(R"( {"a": [1, -2.5e-3, "-Infinity"], "b": {"c": true, "d": false}, "e": null, "f": [] } )")
                  .Read(json));
  const Json& list = *json.Find("a");
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_EQ(list.items[0].number, 1);
  EXPECT_EQ(list.items[1].number, -2.5e-3);
  EXPECT_EQ(list.items[2].text, "-Infinity");
  EXPECT_EQ(json.Find("b")->NumberOr("c", 7), 1);
  EXPECT_EQ(json.Find("b")->NumberOr("d", 7), 0);
  EXPECT_EQ(json.Find("b")->NumberOr("e", 7), 7);
  EXPECT_EQ(json.Find("e")->kind, Json::Kind::kNull);
  EXPECT_TRUE(json.Find("f")->items.empty());
  EXPECT_EQ(json.Find("g"), nullptr);
}

TEST(JsonTest, RefusesWhatIsNone) {
  for (const char* text :
       {"", "{", "[1", "[1,]", "[1 2]", "{\"a\" 1}", "{a: 1}", "\"a", "\"\\n\"", "nan", "+1", "[] []"}) {
    Json json;
    EXPECT_FALSE(JsonReader(text).Read(json)) << text;
  }
}

}  // namespace
}  // namespace loom::test
