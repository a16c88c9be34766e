// The double-precision twin of an attention: the same plan, the same inputs, every stage by reference/.
#pragma once

#include "matrix/buffer.h"
#include "matrix/error.h"
#include "trace/attention.h"

namespace loom {

class Twin {
 public:
  Twin() = default;
  // Reserves memory for every stage of `plan`, which must be one with a trace. Fails with kNoMemory, or with kNotReady
  // where the plan has no trace.
  static Result<Twin> Create(const Plan& plan);

  // Computes every stage from the inputs of `attention`, which has the same plan. The default scale is 1/√d_k in
  // double.
  void Run(const Attention& attention);

  double* base() const { return static_cast<double*>(memory_.data()); }

 private:
  void RunPart(const Attention& attention, const Recipe& recipe, const Part& part, std::size_t head,
               std::size_t entry);

  Buffer memory_;
};

}  // namespace loom
