#include "kernels/angles.h"

#include "kernels/circle.h"

namespace loom::kernels {

void Angles(const float* positions, double first_position, double base, const MutableView& cosines,
            const MutableView& sines) {
  for (std::size_t p = 0; p < cosines.cols; ++p) {
    const double frequency = Frequency(base, p, 2 * cosines.cols);
    for (std::size_t r = 0; r < cosines.rows; ++r) {
      const double position =
          positions == nullptr ? first_position + static_cast<double>(r) : static_cast<double>(positions[r]);
      const Direction direction = DirectionOf(position * frequency);
      cosines(r, p) = static_cast<float>(direction.cosine);
      sines(r, p) = static_cast<float>(direction.sine);
    }
  }
}

}  // namespace loom::kernels
