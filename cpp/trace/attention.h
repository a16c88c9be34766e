// Attention, stage by stage, in float32.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/mask.h"
#include "matrix/buffer.h"
#include "matrix/error.h"
#include "matrix/view.h"
#include "trace/plan.h"

namespace loom {

// What became of a row of weights.
enum class RowState : std::uint8_t {
  kOk = 0,
  kEmpty = 1,      // no visible key: weights and output are 0
  kNotFinite = 2,  // a visible score, their sum or an output left the range of float32
};

// One attention: everything it needs is reserved by Create, before the first multiply; then inputs are written into
// Input(…), Run computes, stages are read. One code path with and without a trace: without one, blocks of a few queries
// use the same kernels on the same few rows of memory again and again, so the output has the same bits.
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

  // A given matrix, to be filled by the caller: x, xKv, wQ, … ; `allow` as numbers, 0 = blocked. For queries, keys and
  // values all heads side by side, [n, h·d].
  MutableView Input(Stage stage);

  // The first input that holds NaN or an infinity (−∞ passes in `add`): kNotFinite with the flat index, or success.
  Status CheckInputs() const;

  // Computes every stage from the inputs. Cannot fail: all memory is there.
  void Run();

  // One head of a stage, [rows, cols], of a traced run; `output` also without a trace. Valid until the next Run.
  ConstView Stage3(Stage stage, std::size_t head) const { return plan_->Matrix<const float>(base_, stage, head); }
  // One number of a stage or an input. The cell must exist.
  float At(const Cell& cell) const;
  // All heads side by side: [n_q, h·d_v].
  ConstView Output() const { return SideBySide(Stage::kOutput); }
  // [h, n_q], row by row.
  const std::uint8_t* RowStates() const { return row_states_; }
  kernels::MaskRule MaskOf(std::size_t head) const;

 private:
  View<float> SideBySide(Stage stage) const;
  void Project();
  void RunHead(std::size_t head);
  void RunRows(std::size_t head, std::size_t begin, std::size_t end, const struct KeysAndValues& shared);
  MutableView StageRows(Stage stage, std::size_t head, std::size_t begin, std::size_t end) const;
  float* StageColumn(Stage stage, std::size_t head, std::size_t begin) const;
  static RowState StateOf(float rowmax, ConstView output_row);

  const Plan* plan_ = nullptr;
  Buffer memory_;
  float* base_ = nullptr;          // inputs, stages and output, as the plan places them
  float* packed_ = nullptr;        // one head's keys, transposed
  float* block_ = nullptr;         // without a trace: a few rows of scores
  float* block_column_ = nullptr;  // without a trace: their rowmax and rowsum
  std::uint8_t* row_states_ = nullptr;
};

}  // namespace loom
