// What JavaScript sees: numbers and addresses, of the types in embind_types.cpp. Descriptions are rows of doubles in
// memory. Only web/core calls these.

#include <emscripten/bind.h>

#include <algorithm>

#include "bindings/numbers.h"
#include "bindings/session.h"
#include "bindings/texts.h"
#include "kernels/target.h"
#include "matrix/limits.h"
#include "trace/standalone.h"

namespace loom::bindings {

Session& TheSession() {
  static Session session;
  return session;
}

namespace {

// As all numbers here: one type for Embind to know.
using Address = double;

template <class T>
Address AddressOf(const T* memory) {
  return static_cast<Address>(reinterpret_cast<std::uintptr_t>(memory));
}

// 0 for success, else the code; the rest by lastError().
double Report(const Status& status) {
  TheSession().error = status;
  return static_cast<double>(status.code);
}

// Keeps what was made, and gives its address; 0 where memory was refused.
Address Keep(Buffer& place, Result<Buffer>&& made) {
  if (!made.ok()) {
    Report(made.error());
    return 0;
  }
  place = std::move(made.value());
  return AddressOf(place.data());
}

// Of doubles, one for each option, in their order: the defaults at first, to be filled in before configure().
Address Options() { return AddressOf(TheSession().options); }

void Release() {
  Session& session = TheSession();
  session.attention = Attention();
  session.twin = Twin();
  session.answer = Buffer();
  session.data = Buffer();
}

double Configure() {
  Release();
  AttentionOptions options;
  const double* from = TheSession().options;
#define LOOM_TAKE(type, name, initial) options.name = static_cast<type>(*from++);
  LOOM_OPTIONS(LOOM_TAKE)
#undef LOOM_TAKE
  return Report(TheSession().plan.Make(options));
}

// Address of the plan's description, to be dropped by dropAnswer().
Address DescribePlan() {
  Session& session = TheSession();
  return Keep(session.answer, Written([&](NumberWriter& to) { WritePlan(session.plan, to); }));
}

// Address of the plan's element 0, or 0 where memory was refused.
Address Reserve() {
  Session& session = TheSession();
  if (session.attention.base() != nullptr) return AddressOf(session.attention.base());
  Result<Attention> attention = Attention::Create(session.plan, session.workspace, kWorkspaceBytes);
  if (!attention.ok()) {
    Report(attention.error());
    return 0;
  }
  session.attention = std::move(attention.value());
  return AddressOf(session.attention.base());
}

double Run() {
  Attention& attention = TheSession().attention;
  if (attention.base() == nullptr) return Report({ErrorCode::kNotReady, Param::kNone, 0, 0});
  const Status status = attention.CheckInputs();
  if (!Ok(status)) return Report(status);
  attention.Run();
  return 0;
}

Address RowStates() { return AddressOf(TheSession().attention.RowStates()); }

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
  return AddressOf(session.twin.base());
}

Cell CellAt(double stage, double index0, double index1, double index2, double index3) {
  const auto whole = [](double index) { return static_cast<std::int32_t>(index); };
  Cell cell;
  cell.stage = stage >= 0 && stage < double(kStageCount) ? static_cast<Stage>(stage) : Stage::kCount;
  cell.index = {whole(index0), whole(index1), whole(index2), whole(index3)};
  return cell;
}

// Address of the answer, or 0 with an error.
Address FindOrigin(double stage, double index0, double index1, double index2, double index3) {
  Session& session = TheSession();
  const Result<Origin> origin = Origin::Of(session.attention, CellAt(stage, index0, index1, index2, index3));
  if (!origin.ok()) {
    Report(origin.error());
    return 0;
  }
  return Keep(session.answer, Written([&](NumberWriter& to) { WriteOrigin(session.plan, origin.value(), to); }));
}

Address FindFeeds(double stage, double index0, double index1, double index2, double index3) {
  Session& session = TheSession();
  const Result<Feeds> feeds = Feeds::Of(session.attention, CellAt(stage, index0, index1, index2, index3));
  if (!feeds.ok()) {
    Report(feeds.error());
    return 0;
  }
  return Keep(session.answer, Written([&](NumberWriter& to) { WriteFeeds(session.plan, feeds.value(), to); }));
}

// Gives back what the last answer took.
void DropAnswer() { TheSession().answer = Buffer(); }

// Room for `count` floats that the calls below work on, in place; 0 where memory was refused.
Address ReserveData(double count) {
  Release();
  const double bytes = count * sizeof(float);
  if (bytes > double(kMaxBytes)) {
    Report({ErrorCode::kTooLarge, Param::kTotalBytes, bytes, double(kMaxBytes)});
    return 0;
  }
  return Keep(TheSession().data, Buffer::Create(static_cast<std::size_t>(count) * sizeof(float)));
}

float* Data() { return static_cast<float*>(TheSession().data.data()); }

double Softmax(double outer, double length, double inner, double log) {
  return Report(SoftmaxAlong(Data(), static_cast<std::size_t>(outer), static_cast<std::size_t>(length),
                             static_cast<std::size_t>(inner), log != 0));
}

// Data: [rows, cols], gamma [cols], beta [cols], then rows for the mean and for the variance.
double Normalise(double rows, double cols, double rms, double epsilon) {
  return Report(NormaliseRows(Data(), static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), rms != 0,
                              static_cast<float>(epsilon)));
}

// Data: `count` numbers. kind as in Activation.
double Activate(double count, double kind) {
  return Report(ActivateAll(Data(), static_cast<std::size_t>(count), static_cast<Activation>(kind)));
}

// Data: [rows, cols], then cosines and sines [rows, width/2]. Without `tables` these are computed from the positions,
// one for each row, that stand behind them.
double Rotate(double rows, double cols, double width, double neighbours, double tables, double base) {
  return Report(RotateRows(Data(), static_cast<std::size_t>(rows), static_cast<std::size_t>(cols),
                           static_cast<std::size_t>(width), neighbours != 0, tables != 0, base));
}

// Data: [rows, cols], filled.
void Sinusoid(double first, double rows, double cols, double base) {
  FillSinusoid(Data(), static_cast<std::int64_t>(first), static_cast<std::size_t>(rows), static_cast<std::size_t>(cols),
               base);
}

// Address of code, parameter, value and bound as doubles.
Address LastError() {
  static double numbers[4];
  const Error& error = TheSession().error;
  NumberWriter(numbers).Put(error.code, error.param, error.value, error.bound);
  return AddressOf(numbers);
}

Address TextsAddress() { return AddressOf(Texts()); }
Address Target() { return AddressOf(kernels::TargetName()); }

double LiveBuffers() { return double(Live().buffers); }
double LiveBytes() { return double(Live().bytes); }
// For the self-test of the build: fast-math would let the compiler answer false.
double SeesNaN(double x) { return x != x ? 1 : 0; }

}  // namespace

EMSCRIPTEN_BINDINGS(attention_loom) {
  using emscripten::function;
  function("options", &Options);
  function("configure", &Configure);
  function("describePlan", &DescribePlan);
  function("reserve", &Reserve);
  function("run", &Run);
  function("release", &Release);
  function("rowStates", &RowStates);
  function("runTwin", &RunTwin);
  function("findOrigin", &FindOrigin);
  function("findFeeds", &FindFeeds);
  function("dropAnswer", &DropAnswer);
  function("reserveData", &ReserveData);
  function("softmax", &Softmax);
  function("normalise", &Normalise);
  function("activate", &Activate);
  function("rotate", &Rotate);
  function("sinusoid", &Sinusoid);
  function("lastError", &LastError);
  function("texts", &TextsAddress);
  function("target", &Target);
  function("liveBuffers", &LiveBuffers);
  function("liveBytes", &LiveBytes);
  function("seesNaN", &SeesNaN);
}

}  // namespace loom::bindings
