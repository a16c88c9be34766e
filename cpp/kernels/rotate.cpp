#include "kernels/rotate.h"

#include <algorithm>

#include "kernels/simd.h"

namespace loom::kernels {

void Rotate(const ConstView& in, const ConstView& cosines, const ConstView& sines, Pairing pairing,
            const MutableView& out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t pairs = cosines.cols;
  const bool halves = pairing == Pairing::kHalf;
  const std::size_t step = halves ? 1 : 2;
  const std::size_t partner = halves ? pairs : 1;
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* from = in.row(i);
    const float* cosine = cosines.row(i);
    const float* sine = sines.row(i);
    float* to = out.row(i);
    std::size_t p = 0;
#pragma clang loop unroll(disable)
    for (; p + lanes <= pairs; p += lanes) {
      Vector first, second;
      if (halves) {
        first = hn::LoadU(d, from + p);
        second = hn::LoadU(d, from + pairs + p);
      } else {
        hn::LoadInterleaved2(d, from + 2 * p, first, second);
      }
      const Vector cos = hn::LoadU(d, cosine + p);
      const Vector sin = hn::LoadU(d, sine + p);
      const Vector first_turned = hn::Sub(hn::Mul(first, cos), hn::Mul(second, sin));
      const Vector second_turned = hn::Add(hn::Mul(second, cos), hn::Mul(first, sin));
      if (halves) {
        hn::StoreU(first_turned, d, to + p);
        hn::StoreU(second_turned, d, to + pairs + p);
      } else {
        hn::StoreInterleaved2(first_turned, second_turned, d, to + 2 * p);
      }
    }
    for (; p < pairs; ++p) {
      const float first = from[p * step];
      const float second = from[p * step + partner];
      to[p * step] = first * cosine[p] - second * sine[p];
      to[p * step + partner] = second * cosine[p] + first * sine[p];
    }
    if (from != to) std::copy(from + 2 * pairs, from + in.cols, to + 2 * pairs);
  }
}

}  // namespace loom::kernels
