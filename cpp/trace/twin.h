// An attention a second time, in double: the same plan and inputs, every cell made from its recipe alone, without the
// kernels. What a figure compares its numbers with; the tests compare both with reference/.
#pragma once

#include "matrix/buffer.h"
#include "matrix/error.h"
#include "trace/attention.h"

namespace loom {

struct Making;

class Twin {
 public:
  Twin() = default;
  // Reserves memory for every stage of `plan`, which must be one with a trace. Fails with kNoMemory, or with kNotReady
  // where the plan has no trace.
  static Result<Twin> Create(const Plan& plan);

  // Computes every stage from the inputs of `attention`, which has the same plan and has run. The default scale is
  // 1/√d_k in double; tables (positions, slopes, drawn keys) are taken as they are.
  void Run(const Attention& attention);

  double* base() const { return static_cast<double*>(memory_.data()); }

 private:
  double Make(const Attention& attention, const Recipe& recipe, const Making& at, const kernels::MaskRule& rule,
              std::size_t place) const;

  Buffer memory_;
};

}  // namespace loom
