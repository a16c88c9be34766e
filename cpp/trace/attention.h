// Attention, stage by stage, in float32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/mask.h"
#include "matrix/buffer.h"
#include "matrix/error.h"
#include "matrix/view.h"
#include "trace/plan.h"
#include "trace/row_state.h"

namespace loom {

// One attention: everything it needs is reserved by Create, before the first multiply; then inputs are written into
// Input(…), Run computes, stages are read. With and without a trace the output has the same bits: without one, blocks
// of a few queries go through the same sums in the same order, and nothing of [n_q, n_k] is kept.
class Attention {
 public:
  Attention() = default;

  // Fails with kNoMemory. `plan` must outlive the object, and so must `workspace` (aligned to 64), which is used where
  // `workspace_bytes` suffice; else the allocator is asked.
  static Result<Attention> Create(const Plan& plan, void* workspace = nullptr, std::size_t workspace_bytes = 0);
  // Bytes that an attention of this plan reserves.
  static std::size_t BytesNeeded(const Plan& plan);

  const Plan& plan() const { return *plan_; }
  float* base() const { return base_; }

  // What is given of one batch entry, to be filled by the caller: x, xKv, wQ, …; `allow` as numbers, 0 = blocked;
  // `global` as flags for each key. Of queries, keys and values the given rows with all heads side by side, [n, h·d];
  // masks and heads that come first one head below the other, extra keys included.
  MutableView Input(Stage stage, std::size_t entry = 0);

  // The first input that holds NaN or an infinity (−∞ passes in `add`), or success: kNotFinite, kStage; the value is
  // the place in the stage in elements, the bound the number of the stage. What it learns serves the next Run, before
  // which the inputs must not change any more.
  Status CheckInputs();

  // Computes every stage from the inputs. Cannot fail: all memory is there.
  void Run();

  // One head of a stage, [rows, cols], of a traced run; the result also without a trace. Valid until the next Run.
  ConstView Stage3(Stage stage, std::size_t head, std::size_t entry = 0) const {
    return plan_->Matrix<const float>(base_, stage, head, entry);
  }
  // One number of a stage or an input. The cell must exist.
  float At(const Cell& cell) const;
  // The last stage, all heads side by side: [n_q, h·d_v] or [n_q, d_model], entries one below the other.
  ConstView Output() const;
  // [B, h, n_q], row by row.
  const std::uint8_t* RowStates() const { return row_states_; }
  // Which keys the queries of one head may look at. Reads the masks among the inputs.
  kernels::MaskRule MaskOf(std::size_t head, std::size_t entry = 0) const;

 private:
  struct Keys;
  void RunStage(const Recipe& recipe);
  // These two: whether all of it went through the fused kernel.
  bool RunHeads();
  bool RunHead(std::size_t entry, std::size_t head, Keys& keys);
  bool RunFused(std::size_t entry, std::size_t head, const Keys& keys);
  void RunRows(std::size_t entry, std::size_t head, std::size_t begin, std::size_t end, const Keys& keys);
  MutableView StageRows(Stage stage, std::size_t entry, std::size_t head, std::size_t begin, std::size_t end) const;
  float* StageColumn(Stage stage, std::size_t entry, std::size_t head, std::size_t begin) const;
  std::uint8_t* StatesOf(std::size_t entry, std::size_t head) const;
  float Largest(Stage stage, const ConstView& part) const;
  void ReportResult();

  const Plan* plan_ = nullptr;
  Buffer memory_;
  float* base_ = nullptr;          // inputs, stages and output, as the plan places them
  float* packed_ = nullptr;        // one head's keys, transposed; or what the fused path works on
  float* block_ = nullptr;         // without a trace: a few rows of scores
  float* block_column_ = nullptr;  // without a trace: their rowmax and rowsum
  float* turned_ = nullptr;        // along columns: one head's scores, transposed
  std::uint8_t* row_states_ = nullptr;
  // Of each given stage the largest |x|, as CheckInputs looks at all numbers anyway; until the end of the next Run.
  std::array<float, kStageCount> largest_{};
  bool largest_known_ = false;
};

}  // namespace loom
