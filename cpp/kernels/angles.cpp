#include "kernels/angles.h"

#include "kernels/double_math.h"

namespace loom::kernels {

double Frequency(double base, std::size_t pair, std::size_t width) {
  return ExpOf(-2.0 * static_cast<double>(pair) / static_cast<double>(width) * LogOf(base));
}

void Angles(const float* positions, double first_position, double base, MutableView cosines, MutableView sines) {
  for (std::size_t p = 0; p < cosines.cols; ++p) {
    const double frequency = Frequency(base, p, 2 * cosines.cols);
    for (std::size_t r = 0; r < cosines.rows; ++r) {
      const double position =
          positions == nullptr ? first_position + static_cast<double>(r) : static_cast<double>(positions[r]);
      const SineCosine turn = SineCosineOf(position * frequency);
      cosines(r, p) = static_cast<float>(turn.cosine);
      sines(r, p) = static_cast<float>(turn.sine);
    }
  }
}

}  // namespace loom::kernels
