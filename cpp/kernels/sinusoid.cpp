#include "kernels/sinusoid.h"

#include "kernels/circle.h"

namespace loom::kernels {

void Sinusoid(double first_position, double base, const MutableView& out) {
  for (std::size_t j = 0; j < out.cols; ++j) {
    const double frequency = Frequency(base, j / 2, out.cols);
    for (std::size_t r = 0; r < out.rows; ++r) {
      const Direction direction = DirectionOf((first_position + static_cast<double>(r)) * frequency);
      out(r, j) = static_cast<float>(j % 2 == 0 ? direction.sine : direction.cosine);
    }
  }
}

}  // namespace loom::kernels
