// Any attention: refused with a reason, or the same bits with and without a trace, every cell equal to the end of its
// own origin, nothing leaked.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bytes.h"
#include "matrix/memory.h"
#include "trace/origin.h"
#include "trace/twin.h"

namespace loom::fuzz {
namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fault: %s\n", what);
  std::abort();
}

bool SameBits(float a, float b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; }

struct Outcome {
  std::vector<float> output;
  std::vector<std::uint8_t> states;
};

Outcome OutcomeOf(const Attention& attention) {
  Outcome outcome;
  const ConstView output = attention.Output();
  for (std::size_t i = 0; i < output.rows; ++i) {
    for (std::size_t j = 0; j < output.cols; ++j) outcome.output.push_back(output(i, j));
  }
  const AttentionOptions& o = attention.plan().options();
  const std::size_t rows = std::size_t(o.Entries()) * std::size_t(o.heads) * std::size_t(o.n_q);
  outcome.states.assign(attention.RowStates(), attention.RowStates() + rows);
  return outcome;
}

void CheckOrigin(const Attention& attention, Bytes& bytes) {
  const Plan& plan = attention.plan();
  const Recipe& recipe = plan.at(bytes.Byte() % plan.count());
  Cell cell;
  cell.stage = recipe.stage;
  for (std::size_t a = 0; a < recipe.rank; ++a) {
    if (recipe.shape[a] == 0) return;
    cell.index[a] = bytes.Byte() % recipe.shape[a];
  }
  const Result<Origin> origin = Origin::Of(attention, cell);
  Require(origin.ok(), "a cell that exists has an origin");
  const std::size_t terms = origin.value().term_count();
  if (terms > 0) Require(SameBits(origin.value().term(terms - 1).partial, attention.At(cell)), "last partial = cell");
  const Result<Feeds> feeds = Feeds::Of(attention, cell);
  Require(feeds.ok(), "a cell that exists feeds something or nothing");
}

void Run(Bytes bytes) {
  AttentionOptions options = OptionsFrom(bytes);
  const Bytes numbers = bytes;
  Outcome untraced;
  for (const bool trace : {false, true}) {
    options.trace = trace;
    const Result<Plan> plan = Plan::Create(options);
    if (!plan.ok()) {
      Require(plan.error().param != Param::kNone, "a refusal names its parameter");
      return;
    }
    Result<Attention> made = Attention::Create(plan.value());
    Require(made.ok(), "memory");
    Attention& attention = made.value();
    Bytes rest = numbers;
    Fill(attention, rest);
    const bool finite = Ok(attention.CheckInputs());
    attention.Run();
    const Outcome outcome = OutcomeOf(attention);
    if (!trace) {
      untraced = outcome;
      continue;
    }
    Require(outcome.states == untraced.states, "row states with and without a trace");
    for (std::size_t i = 0; i < outcome.output.size(); ++i) {
      Require(SameBits(outcome.output[i], untraced.output[i]), "bits with and without a trace");
    }
    Result<Twin> twin = Twin::Create(plan.value());
    Require(twin.ok(), "memory for the twin");
    twin.value().Run(attention);
    if (finite) CheckOrigin(attention, rest);
  }
}

}  // namespace
}  // namespace loom::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const loom::LiveMemory before = loom::Live();
  loom::fuzz::Run({data, size});
  if (loom::Live().buffers != before.buffers || loom::Live().bytes != before.bytes) std::abort();
  return 0;
}
