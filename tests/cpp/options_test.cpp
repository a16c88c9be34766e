// Every refusal names the parameter, what was found and what was allowed.
#include "trace/options.h"

#include <functional>

#include "matrix/limits.h"
#include "support.h"
#include "trace/plan.h"

namespace loom::test {
namespace {

AttentionOptions Good() {
  AttentionOptions o;
  o.n_q = 3;
  o.n_new = 4;
  o.heads = 2;
  o.kv_heads = 1;
  o.d_k = 5;
  o.d_v = 6;
  return o;
}

AttentionOptions GoodProjected() {
  AttentionOptions o = Good();
  o.project = true;
  o.crossed = true;
  o.d_model = 7;
  o.d_kv = 8;
  o.project_out = true;
  o.d_out = 7;
  return o;
}

using Change = std::function<void(AttentionOptions&)>;

void ExpectRefused(AttentionOptions o, const Change& change, Error want) {
  change(o);
  for (const Error got : {ValidateOptions(o), Plan::Create(o).error()}) {
    EXPECT_EQ(got.code, want.code);
    EXPECT_EQ(got.param, want.param);
    EXPECT_EQ(got.value, want.value);
    EXPECT_EQ(got.bound, want.bound);
  }
}

void ExpectTaken(AttentionOptions o, const Change& change) {
  change(o);
  const Error got = ValidateOptions(o);
  EXPECT_TRUE(Ok(got)) << "code " << int(got.code) << ", parameter " << int(got.param) << ", value " << got.value;
}

struct Size {
  int AttentionOptions::*field;
  Param param;
  int limit;
};

TEST(OptionsTest, SizesBelowZeroAndAboveTheLimitAreRefused) {
  const Size given[] = {{&AttentionOptions::batch, Param::kBatch, 8192},
                        {&AttentionOptions::n_q, Param::kQueries, 8192},
                        {&AttentionOptions::n_new, Param::kKeys, 8192},
                        {&AttentionOptions::n_past, Param::kKeys, 8192},
                        {&AttentionOptions::d_k, Param::kQ, 1024},
                        {&AttentionOptions::d_v, Param::kV, 1024},
                        {&AttentionOptions::block_size, Param::kBlocks, 8192},
                        {&AttentionOptions::random_count, Param::kRandom, 8192},
                        {&AttentionOptions::rotary_offset, Param::kRotary, 8192}};
  const Size projected[] = {{&AttentionOptions::n_q, Param::kQueries, 8192},
                            {&AttentionOptions::n_new, Param::kKeys, 8192},
                            {&AttentionOptions::d_k, Param::kWQ, 1024},
                            {&AttentionOptions::d_v, Param::kWV, 1024},
                            {&AttentionOptions::d_model, Param::kModelWidth, 1024},
                            {&AttentionOptions::d_kv, Param::kModelWidth, 1024},
                            {&AttentionOptions::d_out, Param::kWO, 1024},
                            {&AttentionOptions::d_ff, Param::kFfn, 4096}};
  const auto check = [](AttentionOptions good, const Size& size) {
    SCOPED_TRACE(int(size.param));
    if (size.field == &AttentionOptions::n_past) good.n_new = 0;
    const auto set = [&](int value) { return [&size, value](AttentionOptions& o) { o.*size.field = value; }; };
    ExpectRefused(good, set(-1), {ErrorCode::kNegative, size.param, -1, 0});
    ExpectRefused(good, set(-2147483647 - 1), {ErrorCode::kNegative, size.param, -2147483648.0, 0});
    ExpectTaken(good, set(0));
    ExpectTaken(good, set(size.limit));
    ExpectRefused(good, set(size.limit + 1), {ErrorCode::kTooLarge, size.param, size.limit + 1.0, double(size.limit)});
    ExpectRefused(good, set(2147483647), {ErrorCode::kTooLarge, size.param, 2147483647.0, double(size.limit)});
  };
  for (const Size& size : given) check(Good(), size);
  for (const Size& size : projected) check(GoodProjected(), size);
}

TEST(OptionsTest, AllKeysTogetherAreAtMost8192) {
  const auto keys = [](int past, int fresh, bool extra, bool zero) {
    return [=](AttentionOptions& o) {
      o.n_past = past;
      o.n_new = fresh;
      o.extra_key = extra;
      o.zero_key = zero;
    };
  };
  ExpectTaken(Good(), keys(4096, 4096, false, false));
  ExpectTaken(Good(), keys(4095, 4095, true, true));
  ExpectRefused(Good(), keys(4096, 4096, true, false), {ErrorCode::kTooLarge, Param::kKeys, 8193, 8192});
  ExpectRefused(Good(), keys(4096, 4096, false, true), {ErrorCode::kTooLarge, Param::kKeys, 8193, 8192});
  ExpectRefused(Good(), keys(8192, 8192, true, true), {ErrorCode::kTooLarge, Param::kKeys, 16386, 8192});
}

TEST(OptionsTest, K26HeadsAreOneTo64) {
  const auto set = [](int heads) { return [heads](AttentionOptions& o) { o.heads = heads; }; };
  ExpectRefused(Good(), set(0), {ErrorCode::kTooSmall, Param::kHeads, 0, 1});
  ExpectRefused(Good(), set(-1), {ErrorCode::kTooSmall, Param::kHeads, -1, 1});
  ExpectTaken(Good(), set(1));
  ExpectTaken(Good(), set(64));
  ExpectRefused(Good(), set(65), {ErrorCode::kTooLarge, Param::kHeads, 65, 64});
}

TEST(OptionsTest, K26KeyValueHeadsDivideTheHeads) {
  const auto set = [](int heads, int kv_heads) {
    return [=](AttentionOptions& o) {
      o.heads = heads;
      o.kv_heads = kv_heads;
    };
  };
  ExpectRefused(Good(), set(2, 0), {ErrorCode::kTooSmall, Param::kKvHeads, 0, 1});
  ExpectRefused(Good(), set(2, 65), {ErrorCode::kTooLarge, Param::kKvHeads, 65, 64});
  for (const int kv_heads : {1, 2, 3, 4, 6, 12}) ExpectTaken(Good(), set(12, kv_heads));
  ExpectRefused(Good(), set(8, 3), {ErrorCode::kMismatch, Param::kKvHeads, 2, 0});
  ExpectRefused(Good(), set(2, 4), {ErrorCode::kMismatch, Param::kKvHeads, 2, 0});
}

struct Mask {
  int AttentionOptions::*rank;
  int AttentionOptions::*batch;
  int AttentionOptions::*heads;
  int AttentionOptions::*rows;
  Param param;
};
constexpr Mask kMasks[] = {{&AttentionOptions::allow_rank, &AttentionOptions::allow_batch,
                            &AttentionOptions::allow_heads, &AttentionOptions::allow_rows, Param::kAllow},
                           {&AttentionOptions::add_rank, &AttentionOptions::add_batch, &AttentionOptions::add_heads,
                            &AttentionOptions::add_rows, Param::kAdd}};

TEST(OptionsTest, MasksHaveUpToFourAxesEachFullOrOne) {
  AttentionOptions good = Good();
  good.batch = 5;
  for (const Mask& mask : kMasks) {
    const auto set = [&](int AttentionOptions::*field, int value) {
      return [=](AttentionOptions& o) { o.*field = value; };
    };
    for (const int rank : {0, 2, 3, 4}) ExpectTaken(good, set(mask.rank, rank));
    ExpectRefused(good, set(mask.rank, -1), {ErrorCode::kNegative, mask.param, -1, 0});
    ExpectRefused(good, set(mask.rank, 5), {ErrorCode::kTooLarge, mask.param, 5, 4});
    const std::pair<int AttentionOptions::*, int> sizes[] = {{mask.batch, 5}, {mask.heads, 2}, {mask.rows, 3}};
    for (const auto& [field, full] : sizes) {
      ExpectTaken(good, set(field, 1));
      ExpectTaken(good, set(field, full));
      for (const int other : {-1, 0, 4}) {
        ExpectRefused(good, set(field, other), {ErrorCode::kMismatch, mask.param, double(other), double(full)});
      }
    }
  }
}

TEST(OptionsTest, WindowsReachFromZeroOn) {
  for (auto field : {&AttentionOptions::before, &AttentionOptions::after}) {
    ExpectRefused(Good(), [&](AttentionOptions& o) { o.*field = -1; }, {ErrorCode::kNegative, Param::kWindow, -1, 0});
    for (const std::int32_t reach : {0, 2147483647})
      ExpectTaken(Good(), [&](AttentionOptions& o) { o.*field = reach; });
  }
}

TEST(OptionsTest, WhatNeedsAnotherOptionIsRefusedWithoutIt) {
  const auto refused = [](const AttentionOptions& good, Param param, const Change& change) {
    ExpectRefused(good, change, {ErrorCode::kNotAllowed, param, 0, 0});
  };
  refused(Good(), Param::kKeyCounts, [](AttentionOptions& o) { o.offset_from_count = true; });
  ExpectTaken(Good(), [](AttentionOptions& o) { o.key_counts = o.offset_from_count = true; });
  refused(Good(), Param::kRandom, [](AttentionOptions& o) {
    o.n_new = 0;
    o.random_count = 1;
  });
  ExpectTaken(Good(), [](AttentionOptions& o) {
    o.n_new = o.n_q = 0;
    o.random_count = 1;
  });
  // What stands around attention works on tokens.
  refused(Good(), Param::kX, [](AttentionOptions& o) { o.residual = true; });
  refused(Good(), Param::kX, [](AttentionOptions& o) { o.norm = Norm::kRms; });
  refused(Good(), Param::kX, [](AttentionOptions& o) { o.d_ff = 1; });
  refused(Good(), Param::kX, [](AttentionOptions& o) { o.positions = Positions::kSinusoid; });
  refused(Good(), Param::kXKv, [](AttentionOptions& o) { o.positions_kv = Positions::kSinusoid; });
  refused(GoodProjected(), Param::kXKv, [](AttentionOptions& o) {
    o.crossed = false;
    o.n_new = o.n_q;
    o.positions_kv = Positions::kGiven;
  });
  ExpectTaken(GoodProjected(), [](AttentionOptions& o) { o.positions_kv = Positions::kGiven; });
  for (auto field :
       {&AttentionOptions::gamma, &AttentionOptions::beta, &AttentionOptions::gamma_2, &AttentionOptions::beta_2}) {
    const Change with = [&](AttentionOptions& o) { o.*field = true; };
    refused(GoodProjected(), Param::kNorm, with);
    ExpectTaken(GoodProjected(), [&](AttentionOptions& o) {
      o.*field = true;
      o.norm = Norm::kLayer;
    });
  }
  // RMS norm has no summand.
  for (auto field : {&AttentionOptions::beta, &AttentionOptions::beta_2}) {
    refused(GoodProjected(), Param::kNorm, [&](AttentionOptions& o) {
      o.*field = true;
      o.norm = Norm::kRms;
    });
  }
}

TEST(OptionsTest, WhatIsAddedToTheTokensIsAsWideAsTheyAre) {
  for (const bool norm : {false, true}) {
    const auto set = [&](bool project_out, int d_out, int d_v) {
      return [=](AttentionOptions& o) {
        o.residual = !norm;
        o.norm = norm ? Norm::kLayer : Norm::kNone;
        o.project_out = project_out;
        o.d_out = d_out;
        o.d_v = d_v;
        o.d_model = 6;
      };
    };
    ExpectTaken(GoodProjected(), set(true, 6, 2));
    ExpectRefused(GoodProjected(), set(true, 5, 3), {ErrorCode::kMismatch, Param::kResidual, 5, 6});
    ExpectTaken(GoodProjected(), set(false, 5, 3));
    ExpectRefused(GoodProjected(), set(false, 6, 2), {ErrorCode::kMismatch, Param::kResidual, 4, 6});
  }
}

TEST(OptionsTest, RotaryTurnsWholePairsOfAHeadsColumns) {
  const auto set = [](int width, float base) {
    return [=](AttentionOptions& o) {
      o.rotary = Rotary::kHalf;
      o.rotary_width = width;
      o.rotary_base = base;
    };
  };
  for (const int width : {0, 2, 4}) ExpectTaken(Good(), set(width, 10000));
  ExpectRefused(Good(), set(-2, 10000), {ErrorCode::kNegative, Param::kRotary, -2, 0});
  ExpectRefused(Good(), set(6, 10000), {ErrorCode::kTooLarge, Param::kRotary, 6, 5});
  ExpectRefused(Good(), set(3, 10000), {ErrorCode::kMismatch, Param::kRotary, 1, 0});
  for (const float base : {0.0f, -1.0f, kInfinity}) {
    ExpectRefused(Good(), set(2, base), {ErrorCode::kNotFinite, Param::kRotary, base, 0});
  }
  EXPECT_EQ(Plan::Create([&] {
              AttentionOptions o = Good();
              set(2, kNaN)(o);
              return o;
            }())
                .error()
                .code,
            ErrorCode::kNotFinite);
  ExpectTaken(Good(), [](AttentionOptions& o) { o.rotary_width = 3; });  // not asked for
}

TEST(OptionsTest, WithoutASecondSequenceThereAreAsManyNewKeysAsQueries) {
  const Change one_sequence = [](AttentionOptions& o) { o.crossed = false; };
  ExpectRefused(GoodProjected(), one_sequence, {ErrorCode::kMismatch, Param::kXKv, 4, 3});
  ExpectTaken(GoodProjected(), [](AttentionOptions& o) {
    o.crossed = false;
    o.n_new = o.n_q;
    o.n_past = 5;
  });
}

TEST(OptionsTest, ScaleIsFinite) {
  for (const float scale : {kInfinity, -kInfinity}) {
    ExpectRefused(Good(), [&](AttentionOptions& o) { o.scale = scale; },
                  {ErrorCode::kNotFinite, Param::kScale, scale, 0});
  }
  AttentionOptions o = Good();
  o.scale = kNaN;
  EXPECT_EQ(ValidateOptions(o).code, ErrorCode::kNotFinite);
  EXPECT_EQ(ValidateOptions(o).param, Param::kScale);
  for (const float scale : {0.0f, -1.0f, 3e38f}) ExpectTaken(Good(), [&](AttentionOptions& g) { g.scale = scale; });
}

TEST(OptionsTest, TemperatureCapAndEpsilonAreFiniteAndNotNegative) {
  const std::pair<float AttentionOptions::*, Param> fields[] = {{&AttentionOptions::temperature, Param::kTemperature},
                                                                {&AttentionOptions::cap, Param::kSoftCap},
                                                                {&AttentionOptions::epsilon, Param::kNorm}};
  for (const auto& [field, param] : fields) {
    const auto set = [field = field](float x) { return [=](AttentionOptions& o) { o.*field = x; }; };
    for (const float x : {kInfinity, -kInfinity}) {
      ExpectRefused(Good(), set(x), {ErrorCode::kNotFinite, param, x, 0});
    }
    AttentionOptions o = Good();
    o.*field = kNaN;
    EXPECT_EQ(ValidateOptions(o).code, ErrorCode::kNotFinite);
    EXPECT_EQ(ValidateOptions(o).param, param);
    ExpectRefused(Good(), set(-1e-45f), {ErrorCode::kNegative, param, -1e-45f, 0});
    for (const float x : {0.0f, -0.0f, 1e-45f, 3e38f}) ExpectTaken(Good(), set(x));
  }
}

TEST(OptionsTest, ATemperatureOfZeroNeedsTheMaximum) {
  const Change without = [](AttentionOptions& o) {
    o.shift = false;
    o.temperature = 0;
  };
  ExpectRefused(Good(), without, {ErrorCode::kNotAllowed, Param::kTemperature, 0, 0});
  ExpectTaken(Good(), [](AttentionOptions& o) { o.temperature = 0; });
  ExpectTaken(Good(), [](AttentionOptions& o) {
    o.shift = false;
    o.temperature = 1e-45f;
  });
}

TEST(OptionsTest, TheDefaultScaleIsOneOverTheRootOfTheWidth) {
  EXPECT_EQ(DefaultScale(0), 1.0f);
  EXPECT_EQ(DefaultScale(1), 1.0f);
  EXPECT_EQ(DefaultScale(64), 0.125f);
  for (int d = 1; d <= kMaxWidth; ++d)
    EXPECT_TRUE(IsNear(DefaultScale(d), 1 / std::sqrt(double(d)), {0, 0x1p-24})) << d;
}

}  // namespace
}  // namespace loom::test
