// What JavaScript sees: numbers and addresses on the way that every call takes, value objects for descriptions that are
// asked for once. Only web/core calls these.

#include <emscripten/bind.h>

#include "bindings/session.h"
#include "bindings/texts.h"
#include "matrix/limits.h"
#include "trace/softmax.h"

namespace loom::bindings {

Session& TheSession() {
  static Session session;
  return session;
}

namespace {

using Address = std::uintptr_t;

struct OperandInfo {
  int stage = 0;
  int rank = 0;
  int axis0 = 0;
  int axis1 = 0;
  int axis2 = 0;
};

struct StageInfo {
  bool exists = false;
  int operation = 0;
  int rank = 0;
  int shape0 = 0;
  int shape1 = 0;
  int shape2 = 0;
  double offset = 0;
  double stride0 = 0;
  double stride1 = 0;
  int terms = 0;
  int head_width = 0;
  int operand_count = 0;
  OperandInfo operand0;
  OperandInfo operand1;
  OperandInfo operand2;
};

struct CellInfo {
  int stage = 0;
  int index0 = 0;
  int index1 = 0;
  int index2 = 0;
};

struct OriginInfo {
  int operation = 0;
  float value = 0;
  float constant = 0;
  int blocked_by = 0;
  int terms = 0;
};

struct TermInfo {
  float value = 0;
  float partial = 0;
  bool left_out = false;
  int operand_count = 0;
  CellInfo cell0;
  CellInfo cell1;
  CellInfo cell2;
  float value0 = 0;
  float value1 = 0;
  float value2 = 0;
};

struct ErrorInfo {
  int code = 0;
  int param = 0;
  double value = 0;
  double bound = 0;
};

// 0 for success, else the code; the rest by lastError().
int Report(const Status& status) {
  TheSession().error = status;
  return static_cast<int>(status.code);
}

CellInfo InfoOf(const Cell& cell) {
  return {static_cast<int>(cell.stage), cell.index[0], cell.index[1], cell.index[2]};
}

OperandInfo InfoOf(const Operand& operand) {
  return {static_cast<int>(operand.stage), operand.rank, static_cast<int>(operand.axes[0]),
          static_cast<int>(operand.axes[1]), static_cast<int>(operand.axes[2])};
}

Cell CellAt(int stage, int index0, int index1, int index2) {
  Cell cell;
  cell.stage = stage >= 0 && stage < static_cast<int>(kStageCount) ? static_cast<Stage>(stage) : Stage::kCount;
  cell.index = {index0, index1, index2};
  return cell;
}

void Release() {
  Session& session = TheSession();
  session.attention = Attention();
  session.twin = Twin();
  session.origin = Origin();
  session.feeds = Feeds();
  session.data = Buffer();
}

int Configure(const AttentionOptions& options) {
  Release();
  Result<Plan> plan = Plan::Create(options);
  if (!plan.ok()) return Report(plan.error());
  TheSession().plan = plan.value();
  return 0;
}

// Address of the plan's element 0, or 0 where memory was refused.
Address Reserve() {
  Session& session = TheSession();
  if (session.attention.base() != nullptr) return reinterpret_cast<Address>(session.attention.base());
  Result<Attention> attention = Attention::Create(session.plan, session.workspace, kWorkspaceBytes);
  if (!attention.ok()) {
    Report(attention.error());
    return 0;
  }
  session.attention = std::move(attention.value());
  return reinterpret_cast<Address>(session.attention.base());
}

int Run() {
  Attention& attention = TheSession().attention;
  if (attention.base() == nullptr) return Report({ErrorCode::kNotReady, Param::kNone, 0, 0});
  const Status status = attention.CheckInputs();
  if (!Ok(status)) return Report(status);
  attention.Run();
  return 0;
}

Address RowStates() { return reinterpret_cast<Address>(TheSession().attention.RowStates()); }

// Address of the twin's element 0 (doubles, places as in the plan), or 0 where memory was refused. After Run.
Address RunTwin() {
  Session& session = TheSession();
  Result<Twin> twin = Twin::Create(session.plan);
  if (!twin.ok()) {
    Report(twin.error());
    return 0;
  }
  session.twin = std::move(twin.value());
  session.twin.Run(session.attention);
  return reinterpret_cast<Address>(session.twin.base());
}

double Scale() { return TheSession().plan.options().scale; }
double Elements() { return double(TheSession().plan.elements()); }

StageInfo InfoOfStage(int stage) {
  const Recipe* recipe = TheSession().plan.Find(static_cast<Stage>(stage));
  StageInfo info;
  if (recipe == nullptr) return info;
  info.exists = true;
  info.operation = static_cast<int>(recipe->operation);
  info.rank = recipe->rank;
  info.shape0 = recipe->shape[0];
  info.shape1 = recipe->shape[1];
  info.shape2 = recipe->shape[2];
  info.offset = double(recipe->offset);
  info.stride0 = double(recipe->strides[0]);
  info.stride1 = double(recipe->strides[1]);
  info.terms = recipe->terms;
  info.head_width = recipe->head_width;
  info.operand_count = recipe->operand_count;
  info.operand0 = InfoOf(recipe->operands[0]);
  info.operand1 = InfoOf(recipe->operands[1]);
  info.operand2 = InfoOf(recipe->operands[2]);
  return info;
}

int FindOrigin(int stage, int index0, int index1, int index2) {
  Session& session = TheSession();
  Result<Origin> origin = Origin::Of(session.attention, CellAt(stage, index0, index1, index2));
  if (!origin.ok()) return Report(origin.error());
  session.origin = std::move(origin.value());
  return 0;
}

OriginInfo TheOrigin() {
  const Origin& origin = TheSession().origin;
  return {static_cast<int>(origin.operation()), origin.value(), origin.constant(), origin.blocked_by(),
          static_cast<int>(origin.term_count())};
}

TermInfo TheOriginTerm(int t) {
  const OriginTerm& term = TheSession().origin.term(static_cast<std::size_t>(t));
  const auto& operands = term.operands;
  return {term.value,
          term.partial,
          term.left_out,
          term.operand_count,
          InfoOf(operands[0].cell),
          InfoOf(operands[1].cell),
          InfoOf(operands[2].cell),
          operands[0].value,
          operands[1].value,
          operands[2].value};
}

int FindFeeds(int stage, int index0, int index1, int index2) {
  Session& session = TheSession();
  Result<Feeds> feeds = Feeds::Of(session.attention, CellAt(stage, index0, index1, index2));
  if (!feeds.ok()) return Report(feeds.error());
  session.feeds = std::move(feeds.value());
  return 0;
}

// Gives back what the last answer took.
void DropAnswer() {
  TheSession().origin = Origin();
  TheSession().feeds = Feeds();
}

int FeedsCount() { return static_cast<int>(TheSession().feeds.count()); }
CellInfo FeedsCell(int i) { return InfoOf(TheSession().feeds.cell(static_cast<std::size_t>(i))); }

// Room for `count` floats that softmax works on; 0 where memory was refused.
Address ReserveData(double count) {
  Release();
  const double bytes = count * sizeof(float);
  if (bytes > double(kMaxBytes)) {
    Report({ErrorCode::kTooLarge, Param::kTotalBytes, bytes, double(kMaxBytes)});
    return 0;
  }
  Result<Buffer> data = Buffer::Create(static_cast<std::size_t>(count) * sizeof(float));
  if (!data.ok()) {
    Report(data.error());
    return 0;
  }
  TheSession().data = std::move(data.value());
  return reinterpret_cast<Address>(TheSession().data.data());
}

int Softmax(double outer, double length, double inner, bool log) {
  auto* data = static_cast<float*>(TheSession().data.data());
  return Report(SoftmaxAlong(data, static_cast<std::size_t>(outer), static_cast<std::size_t>(length),
                             static_cast<std::size_t>(inner), log));
}

ErrorInfo LastError() {
  const Error& error = TheSession().error;
  return {static_cast<int>(error.code), static_cast<int>(error.param), error.value, error.bound};
}

Address TextAddress(int kind, int id) { return reinterpret_cast<Address>(Text(kind, id)); }

double LiveBuffers() { return double(Live().buffers); }
double LiveBytes() { return double(Live().bytes); }
// For the self-test of the build: fast-math would let the compiler answer false.
bool SeesNaN(float x) { return x != x; }

}  // namespace

EMSCRIPTEN_BINDINGS(attention_loom) {
  using emscripten::function;
  using emscripten::value_object;

  value_object<AttentionOptions>("AttentionOptions")
      .field("project", &AttentionOptions::project)
      .field("crossed", &AttentionOptions::crossed)
      .field("nQ", &AttentionOptions::n_q)
      .field("nK", &AttentionOptions::n_k)
      .field("heads", &AttentionOptions::heads)
      .field("dK", &AttentionOptions::d_k)
      .field("dV", &AttentionOptions::d_v)
      .field("dModel", &AttentionOptions::d_model)
      .field("dKv", &AttentionOptions::d_kv)
      .field("allowHeads", &AttentionOptions::allow_heads)
      .field("addHeads", &AttentionOptions::add_heads)
      .field("causal", &AttentionOptions::causal)
      .field("causalOffset", &AttentionOptions::causal_offset)
      .field("defaultScale", &AttentionOptions::default_scale)
      .field("scale", &AttentionOptions::scale)
      .field("temperature", &AttentionOptions::temperature)
      .field("trace", &AttentionOptions::trace);
  value_object<OperandInfo>("OperandInfo")
      .field("stage", &OperandInfo::stage)
      .field("rank", &OperandInfo::rank)
      .field("axis0", &OperandInfo::axis0)
      .field("axis1", &OperandInfo::axis1)
      .field("axis2", &OperandInfo::axis2);
  value_object<StageInfo>("StageInfo")
      .field("exists", &StageInfo::exists)
      .field("operation", &StageInfo::operation)
      .field("rank", &StageInfo::rank)
      .field("shape0", &StageInfo::shape0)
      .field("shape1", &StageInfo::shape1)
      .field("shape2", &StageInfo::shape2)
      .field("offset", &StageInfo::offset)
      .field("stride0", &StageInfo::stride0)
      .field("stride1", &StageInfo::stride1)
      .field("terms", &StageInfo::terms)
      .field("headWidth", &StageInfo::head_width)
      .field("operandCount", &StageInfo::operand_count)
      .field("operand0", &StageInfo::operand0)
      .field("operand1", &StageInfo::operand1)
      .field("operand2", &StageInfo::operand2);
  value_object<CellInfo>("CellInfo")
      .field("stage", &CellInfo::stage)
      .field("index0", &CellInfo::index0)
      .field("index1", &CellInfo::index1)
      .field("index2", &CellInfo::index2);
  value_object<OriginInfo>("OriginInfo")
      .field("operation", &OriginInfo::operation)
      .field("value", &OriginInfo::value)
      .field("constant", &OriginInfo::constant)
      .field("blockedBy", &OriginInfo::blocked_by)
      .field("terms", &OriginInfo::terms);
  value_object<TermInfo>("TermInfo")
      .field("value", &TermInfo::value)
      .field("partial", &TermInfo::partial)
      .field("leftOut", &TermInfo::left_out)
      .field("operandCount", &TermInfo::operand_count)
      .field("cell0", &TermInfo::cell0)
      .field("cell1", &TermInfo::cell1)
      .field("cell2", &TermInfo::cell2)
      .field("value0", &TermInfo::value0)
      .field("value1", &TermInfo::value1)
      .field("value2", &TermInfo::value2);
  value_object<ErrorInfo>("ErrorInfo")
      .field("code", &ErrorInfo::code)
      .field("param", &ErrorInfo::param)
      .field("value", &ErrorInfo::value)
      .field("bound", &ErrorInfo::bound);

  function("configure", &Configure);
  function("reserve", &Reserve);
  function("run", &Run);
  function("release", &Release);
  function("rowStates", &RowStates);
  function("runTwin", &RunTwin);
  function("scale", &Scale);
  function("elements", &Elements);
  function("stageInfo", &InfoOfStage);
  function("findOrigin", &FindOrigin);
  function("origin", &TheOrigin);
  function("originTerm", &TheOriginTerm);
  function("findFeeds", &FindFeeds);
  function("dropAnswer", &DropAnswer);
  function("feedsCount", &FeedsCount);
  function("feedsCell", &FeedsCell);
  function("reserveData", &ReserveData);
  function("softmax", &Softmax);
  function("lastError", &LastError);
  function("text", &TextAddress);
  function("liveBuffers", &LiveBuffers);
  function("liveBytes", &LiveBytes);
  function("seesNaN", &SeesNaN);
}

}  // namespace loom::bindings
