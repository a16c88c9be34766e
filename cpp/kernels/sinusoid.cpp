#include "kernels/sinusoid.h"

#include "kernels/angles.h"
#include "kernels/double_math.h"

namespace loom::kernels {

void Sinusoid(double first_position, double base, MutableView out) {
  for (std::size_t j = 0; j < out.cols; ++j) {
    const double frequency = Frequency(base, j / 2, out.cols);
    for (std::size_t r = 0; r < out.rows; ++r) {
      const SineCosine turn = SineCosineOf((first_position + static_cast<double>(r)) * frequency);
      out(r, j) = static_cast<float>(j % 2 == 0 ? turn.sine : turn.cosine);
    }
  }
}

}  // namespace loom::kernels
