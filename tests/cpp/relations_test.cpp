// Different ways to ask for the same numbers give the same bits.
#include <functional>

#include "random_case.h"

namespace loom::test {
namespace {

using Skip = std::function<bool(Stage)>;

bool IsComputed(Stage stage) { return stage >= Stage::kPositioned; }

// Every computed stage that both have: matrix(stage, head) is what `got` should hold.
void ExpectStages(const Case& got, std::size_t entries, const Skip& skip,
                  const std::function<ConstView(Stage, std::size_t, std::size_t)>& matrix) {
  for (std::size_t s = 0; s < got.plan->count(); ++s) {
    const Stage stage = got.plan->at(s).stage;
    if (!IsComputed(stage) || skip(stage)) continue;
    for (std::size_t entry = 0; entry < entries; ++entry) {
      for (std::size_t h = 0; h < got.Heads(stage); ++h) {
        EXPECT_TRUE(AllSame(ConstView(got.Head(stage, h, entry)), matrix(stage, h, entry)))
            << StageName(stage) << ", head " << h << ", entry " << entry;
      }
    }
  }
}

// Calls test(options, random) for option sets with small sizes.
void ForSeeds(std::uint64_t first, int count, const std::function<void(AttentionOptions, Random&)>& test) {
  for (std::uint64_t seed = first; seed < first + std::uint64_t(count); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const AttentionOptions o = RandomOptions(random, 8, 6);
    test(o, random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RelationsTest, EveryBatchEntryIsARunOfItsOwn) {
  ForSeeds(5000, 300, [](AttentionOptions o, Random& random) {
    o.batch = 3;
    for (int* size : {&o.allow_batch, &o.add_batch}) *size = random.Chance(0.5) ? 3 : 1;
    Case all(o);
    FillRandom(all, random);
    all.Run();
    o.batch = 0;
    o.allow_batch = o.add_batch = 1;
    for (std::size_t entry = 0; entry < 3; ++entry) {
      Case one(o);
      CopyGiven(one, [&](Stage stage, std::size_t head, std::size_t) -> ConstView {
        const ConstView from = all.Head(stage, head, entry);
        return stage == Stage::kKeyCounts ? from.Columns(entry, entry + 1) : from;
      });
      one.Run();
      ExpectStages(
          one, 1, [](Stage) { return false; },
          [&](Stage stage, std::size_t head, std::size_t) -> ConstView { return all.Head(stage, head, entry); });
    }
  });
}

// Columns [h·d, h·d + d) of `joined` for each query head's own key/value head.
Guarded Repeated(ConstView joined, const AttentionOptions& grouped, std::size_t d) {
  Guarded out(joined.rows, std::size_t(grouped.heads) * d);
  return out.Fill(
      [&](std::size_t i, std::size_t j) { return joined(i, j / d / std::size_t(grouped.Group()) * d + j % d); });
}

TEST(RelationsTest, K13GroupedHeadsAreRepeatedHeads) {
  ForSeeds(5400, 300, [](AttentionOptions o, Random& random) {
    Case grouped(o);
    FillRandom(grouped, random);
    grouped.Run();
    AttentionOptions r = o;
    r.kv_heads = r.heads;
    Case repeated(r);
    const auto kv_head = [&](std::size_t head) { return head / std::size_t(o.Group()); };
    std::vector<Guarded> kept;
    kept.reserve(16);
    CopyGiven(repeated, [&](Stage stage, std::size_t head, std::size_t entry) -> ConstView {
      const bool keys = stage == Stage::kKeys || stage == Stage::kWK || stage == Stage::kBK || stage == Stage::kBiasK;
      switch (stage) {
        case Stage::kKeys:
        case Stage::kValues:
          return grouped.Head(stage, kv_head(head), entry);
        case Stage::kWK:
        case Stage::kWV:
        case Stage::kBK:
        case Stage::kBV:
        case Stage::kBiasK:
        case Stage::kBiasV:
          kept.push_back(Repeated(grouped.Head(stage, 0), o, std::size_t(keys ? o.d_k : o.d_v)));
          return kept.back().view();
        default:
          return grouped.Head(stage, head, entry);
      }
    });
    repeated.Run();
    ExpectStages(
        repeated, std::size_t(o.Entries()), [](Stage) { return false; },
        [&](Stage stage, std::size_t head, std::size_t entry) -> ConstView {
          const bool shared = stage == Stage::kKeys || stage == Stage::kValues || stage == Stage::kRotatedKeys;
          return grouped.Head(stage, shared ? kv_head(head) : head, entry);
        });
  });
}

TEST(RelationsTest, OneHeadOfManyIsThatHeadAlone) {
  ForSeeds(5800, 300, [](AttentionOptions o, Random& random) {
    // Up to the gates: behind them heads are joined. Default slopes know how many heads there are.
    o.project_out = o.residual = o.gamma_2 = o.beta_2 = false;
    o.d_ff = 0;
    if (o.norm != Norm::kNone) o.d_model = o.heads * o.d_v;
    o.norm = Norm::kNone;
    o.gamma = o.beta = false;
    if (o.alibi == Alibi::kDefault) o.alibi = Alibi::kGiven;
    Case all(o);
    FillRandom(all, random);
    all.Run();
    AttentionOptions single = o;
    single.heads = single.kv_heads = single.allow_heads = single.add_heads = 1;
    for (std::size_t h = 0; h < std::size_t(o.heads); ++h) {
      const std::size_t g = h / std::size_t(o.Group());
      const auto one_of = [&](Stage stage, std::size_t entry) -> ConstView {
        switch (stage) {
          case Stage::kKeys:
          case Stage::kValues:
          case Stage::kRotatedKeys:
            return all.Head(stage, g, entry);
          default:
            return all.Head(stage, std::min(h, all.Heads(stage) - 1), entry);
        }
      };
      const auto columns = [&](Stage stage, std::size_t head, int d) -> ConstView {
        const ConstView whole = all.Head(stage, 0);
        return whole.Columns(head * std::size_t(d), (head + 1) * std::size_t(d));
      };
      Case one(single);
      CopyGiven(one, [&](Stage stage, std::size_t, std::size_t entry) -> ConstView {
        switch (stage) {
          case Stage::kWQ:
          case Stage::kBQ:
            return columns(stage, h, o.d_k);
          case Stage::kWK:
          case Stage::kBK:
          case Stage::kBiasK:
            return columns(stage, g, o.d_k);
          case Stage::kWV:
          case Stage::kBV:
          case Stage::kBiasV:
            return columns(stage, g, o.d_v);
          default:
            return one_of(stage, entry);
        }
      });
      one.Run();
      ExpectStages(
          one, std::size_t(o.Entries()), [](Stage stage) { return stage == Stage::kConcat; },
          [&](Stage stage, std::size_t, std::size_t entry) { return one_of(stage, entry); });
    }
  });
}

// Tokens one by one, or some at a time, behind what is cached: as a language model writes.
TEST(RelationsTest, TwoStepsWithACacheAreOneRun) {
  ForSeeds(6200, 300, [](AttentionOptions o, Random& random) {
    o.project = true;
    o.crossed = false;
    o.n_past = 0;
    // The shares of a key depend on all queries.
    if (o.softmax == Softmax::kColumns) o.softmax = Softmax::kRows;
    o.n_q = o.n_new = random.Whole(2, 9);
    o.batch = 0;
    // Rules that know of positions only: masks, flags and drawn keys have other sizes in each step.
    o.causal = true;
    o.offset = 0;
    o.allow_rank = o.add_rank = o.random_count = 0;
    o.allow_batch = o.add_batch = o.allow_rows = o.add_rows = 1;
    o.key_counts = o.offset_from_count = o.global = false;
    o.positions = o.positions_kv = Positions::kNone;
    o.rotary_offset = 0;
    if (o.residual || o.norm != Norm::kNone)
      (o.project_out ? o.d_out : o.d_model) = o.project_out ? o.d_model : o.heads * o.d_v;
    Case whole(o);
    FillRandom(whole, random);
    whole.Run();
    const int first = random.Whole(1, o.n_q - 1);
    AttentionOptions one = o;
    one.n_q = one.n_new = first;
    AttentionOptions two = o;
    two.n_past = two.offset = two.rotary_offset = first;
    two.n_q = two.n_new = o.n_q - first;
    Case before(one);
    Case behind(two);
    CopyInputs(whole, before);
    before.Run();
    CopyGiven(behind, [&](Stage stage, std::size_t head, std::size_t) -> ConstView {
      if (stage == Stage::kKeys || stage == Stage::kValues) return before.Head(stage, head);
      const ConstView all = whole.Head(stage, head);
      return stage == Stage::kX ? all.Rows(std::size_t(first), all.rows) : all;
    });
    behind.Run();
    const std::vector<float> want = whole.Output();
    std::vector<float> got = before.Output();
    for (const float x : behind.Output()) got.push_back(x);
    EXPECT_TRUE(AllSame(got, want));
    EXPECT_EQ(behind.attention.Output().rows, std::size_t(o.n_q - first));
  });
}

// Keys that are given as cached or as new are the same keys.
TEST(RelationsTest, ItDoesNotMatterWhichGivenKeysAreCached) {
  ForSeeds(6600, 300, [](AttentionOptions o, Random& random) {
    if (o.project) return;
    Case fresh(o);
    FillRandom(fresh, random);
    fresh.Run();
    AttentionOptions cached = o;
    cached.n_past = random.Whole(0, o.Maskable());
    cached.n_new = o.Maskable() - cached.n_past;
    Case c(cached);
    CopyInputs(fresh, c);
    c.Run();
    EXPECT_TRUE(AllSame(c.Output(), fresh.Output()));
    EXPECT_EQ(c.States(), fresh.States());
  });
}

}  // namespace
}  // namespace loom::test
