// Which stages an attention has, their shapes, recipes and places: everything that is known before the first multiply.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "matrix/error.h"
#include "matrix/view.h"
#include "trace/options.h"
#include "trace/stage.h"

namespace loom {

// Made once per set of options; holds no numbers and owns no memory. Places are counted in elements, so that one plan
// serves float32 (Attention) and double (Twin).
class Plan {
 public:
  // Fails as ValidateOptions does, and with kTooLarge / kTotalBytes where inputs, output and trace exceed kMaxBytes.
  static Result<Plan> Create(const AttentionOptions& options);

  const AttentionOptions& options() const { return options_; }
  // Of an input or a stage; null where this attention has none of that name.
  const Recipe* Find(Stage stage) const;
  // Elements of the workspace that inputs, stages and output take.
  std::size_t elements() const { return static_cast<std::size_t>(elements_); }
  // Queries computed at a time without a trace; with a trace all of them.
  std::size_t block_rows() const { return block_rows_; }

  // The matrix of one head of a stage with axes (head, row, column), or the whole of one with axes (row, column),
  // inside a workspace that begins at `base`.
  template <class T>
  View<T> Matrix(T* base, Stage stage, std::size_t head) const {
    const Recipe& recipe = Get(stage);
    const std::size_t rows = static_cast<std::size_t>(recipe.shape[recipe.rank - 2]);
    const std::size_t cols = static_cast<std::size_t>(recipe.shape[recipe.rank - 1]);
    const std::size_t shift = recipe.rank == 3 ? head * recipe.strides[0] : 0;
    return View<T>(base + recipe.offset + shift, rows, cols, recipe.strides[recipe.rank - 2]);
  }

  // Like Find, for a stage that is known to exist.
  const Recipe& Get(Stage stage) const;
  bool Has(Stage stage) const { return Find(stage) != nullptr; }

 private:
  Recipe& Add(Stage stage, Operation operation);
  void Shape2(Recipe& recipe, int rows, int cols);
  void Shape3(Recipe& recipe, int heads, int rows, int cols);
  // One number for each head and row.
  void ShapeColumn(Recipe& recipe, int heads, int rows);
  // Heads side by side in the columns of one [rows, heads · cols] matrix.
  void ShapeSideBySide(Recipe& recipe, int rows, int cols);
  void Place(Recipe& recipe);
  void AddInputs();
  void AddStages();

  AttentionOptions options_;
  std::array<Recipe, kStageCount> recipes_{};
  std::uint64_t elements_ = 0;
  std::size_t block_rows_ = 0;
};

}  // namespace loom
