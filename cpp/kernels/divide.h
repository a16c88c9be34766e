#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i, j] = in[i, j] / rowsum[i]; 0 where rowsum[i] is 0, and where in[i, j] is 0 whatever the rowsum: a blocked key
// has the weight 0 also in a row that left the range of float32. `out` may be `in`.
void Divide(const ConstView& in, const float* rowsum, const MutableView& out);

}  // namespace loom::kernels
