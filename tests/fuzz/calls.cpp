// Sequences of calls on one attention after the other, with refused allocations in between: every call answers, nothing
// leaks, and what is asked out of turn is refused.
#include <cstdlib>
#include <memory>
#include <vector>

#include "bytes.h"
#include "matrix/memory.h"
#include "trace/origin.h"
#include "trace/standalone.h"
#include "trace/twin.h"

namespace loom::fuzz {
namespace {

struct Held {
  std::unique_ptr<Plan> plan = std::make_unique<Plan>();
  Attention attention;
  bool planned = false;
  bool made = false;
};

void CallStandalone(Bytes& bytes) {
  const auto rows = std::size_t(bytes.Whole(0, 5));
  const auto cols = std::size_t(bytes.Whole(0, 7));
  const std::size_t width = std::size_t(bytes.Whole(0, int(cols))) / 2 * 2;
  // As much as the largest of them needs behind the data.
  std::vector<float> data(rows * cols + 2 * cols + 2 * rows + rows * (width + 1) + 1);
  for (float& number : data) number = bytes.AnyNumber();
  switch (bytes.Whole(0, 4)) {
    case 0:
      SoftmaxAlong(data.data(), rows, cols, 1, bytes.Bit());
      break;
    case 1:
      SoftmaxAlong(data.data(), 1, rows, cols, bytes.Bit());
      break;
    case 2:
      NormaliseRows(data.data(), rows, cols, bytes.Bit(), 1e-5f);
      break;
    case 3:
      ActivateAll(data.data(), rows * cols, static_cast<Activation>(bytes.Whole(0, 2)));
      break;
    default:
      RotateRows(data.data(), rows, cols, width, bytes.Bit(), bytes.Bit(), 10000.0);
  }
}

void Run(Bytes bytes) {
  Held held[2];
  for (int call = 0; call < 24 && !bytes.empty(); ++call) {
    Held& one = held[bytes.Whole(0, 1)];
    RefuseAllocation(bytes.Byte() % 8 == 1 ? 1 : 0);
    switch (bytes.Whole(0, 7)) {
      case 0: {
        AttentionOptions options = OptionsFrom(bytes);
        options.trace = bytes.Bit();
        one.attention = Attention();
        one.made = false;
        one.planned = Ok(one.plan->Make(options));
        break;
      }
      case 1:
        if (one.planned) {
          Result<Attention> made = Attention::Create(*one.plan);
          one.made = made.ok();
          if (made.ok()) {
            one.attention = std::move(made.value());
            Fill(one.attention, bytes);
            one.attention.Run();
          }
        }
        break;
      case 2:
        if (one.made) {
          Fill(one.attention, bytes);
          if (Ok(one.attention.CheckInputs())) one.attention.Run();
        }
        break;
      case 3:
        if (one.made) {
          Result<Twin> twin = Twin::Create(*one.plan);
          if (twin.ok()) twin.value().Run(one.attention);
        }
        break;
      case 4:
      case 5:
        if (one.made) {
          Cell cell;
          cell.stage = static_cast<Stage>(bytes.Byte());
          for (std::int32_t& index : cell.index) index = bytes.Whole(-1, 9);
          if (bytes.Bit()) {
            const Result<Origin> origin = Origin::Of(one.attention, cell);
          } else {
            const Result<Feeds> feeds = Feeds::Of(one.attention, cell);
          }
        }
        break;
      case 6:
        std::swap(held[0], held[1]);
        break;
      default:
        CallStandalone(bytes);
    }
  }
  RefuseAllocation(0);
}

}  // namespace
}  // namespace loom::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const loom::LiveMemory before = loom::Live();
  loom::fuzz::Run({data, size});
  if (loom::Live().buffers != before.buffers || loom::Live().bytes != before.bytes) std::abort();
  return 0;
}
