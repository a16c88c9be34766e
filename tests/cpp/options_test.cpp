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
  o.n_k = 4;
  o.heads = 2;
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
  const Size given[] = {{&AttentionOptions::n_q, Param::kQueries, 8192},
                        {&AttentionOptions::n_k, Param::kKeys, 8192},
                        {&AttentionOptions::d_k, Param::kQ, 1024},
                        {&AttentionOptions::d_v, Param::kV, 1024}};
  const Size projected[] = {{&AttentionOptions::n_q, Param::kQueries, 8192},
                            {&AttentionOptions::n_k, Param::kKeys, 8192},
                            {&AttentionOptions::d_k, Param::kWQ, 1024},
                            {&AttentionOptions::d_v, Param::kWV, 1024},
                            {&AttentionOptions::d_model, Param::kModelWidth, 1024},
                            {&AttentionOptions::d_kv, Param::kModelWidth, 1024}};
  const auto check = [](const AttentionOptions& good, const Size& size) {
    SCOPED_TRACE(int(size.param));
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

TEST(OptionsTest, K26HeadsAreOneTo64) {
  const auto set = [](int heads) { return [heads](AttentionOptions& o) { o.heads = heads; }; };
  ExpectRefused(Good(), set(0), {ErrorCode::kTooSmall, Param::kHeads, 0, 1});
  ExpectRefused(Good(), set(-1), {ErrorCode::kTooSmall, Param::kHeads, -1, 1});
  ExpectTaken(Good(), set(1));
  ExpectTaken(Good(), set(64));
  ExpectRefused(Good(), set(65), {ErrorCode::kTooLarge, Param::kHeads, 65, 64});
}

TEST(OptionsTest, MasksAreForNoHeadForOneOrForEach) {
  const struct {
    int AttentionOptions::*field;
    Param param;
  } masks[] = {{&AttentionOptions::allow_heads, Param::kAllow}, {&AttentionOptions::add_heads, Param::kAdd}};
  for (const auto& mask : masks) {
    const auto set = [&](int heads) { return [&mask, heads](AttentionOptions& o) { o.*mask.field = heads; }; };
    for (const int heads : {0, 1, 2}) ExpectTaken(Good(), set(heads));
    for (const int heads : {-1, 3})
      ExpectRefused(Good(), set(heads), {ErrorCode::kMismatch, mask.param, double(heads), 2});
  }
}

TEST(OptionsTest, WithoutASecondSequenceThereAreAsManyKeysAsQueries) {
  const Change one_sequence = [](AttentionOptions& o) { o.crossed = false; };
  ExpectRefused(GoodProjected(), one_sequence, {ErrorCode::kMismatch, Param::kXKv, 4, 3});
  ExpectTaken(GoodProjected(), [](AttentionOptions& o) {
    o.crossed = false;
    o.n_k = o.n_q;
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

TEST(OptionsTest, TemperatureIsFiniteAndNotNegative) {
  for (const float tau : {kInfinity, -kInfinity}) {
    ExpectRefused(Good(), [&](AttentionOptions& o) { o.temperature = tau; },
                  {ErrorCode::kNotFinite, Param::kTemperature, tau, 0});
  }
  AttentionOptions o = Good();
  o.temperature = kNaN;
  EXPECT_EQ(ValidateOptions(o).code, ErrorCode::kNotFinite);
  EXPECT_EQ(ValidateOptions(o).param, Param::kTemperature);
  ExpectRefused(Good(), [](AttentionOptions& g) { g.temperature = -1e-45f; },
                {ErrorCode::kNegative, Param::kTemperature, -1e-45f, 0});
  for (const float tau : {0.0f, -0.0f, 1e-45f, 3e38f})
    ExpectTaken(Good(), [&](AttentionOptions& g) { g.temperature = tau; });
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
