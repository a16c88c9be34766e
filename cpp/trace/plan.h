// Which stages an attention has, their shapes, recipes and places: everything that is known before the first multiply.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "matrix/error.h"
#include "matrix/view.h"
#include "trace/options.h"
#include "trace/stage.h"

namespace loom {

// A stage seen along axes, a letter for each (see AxisOf in plan.cpp): {kKeys, "bgjk"}. Nothing: no operand.
struct Factors {
  Stage stage = Stage::kCount;
  const char* axes = "";
};

// Made once per set of options; holds no numbers and owns no memory. Places are counted in elements, so that one plan
// serves float32 (Attention) and double (Twin).
class Plan {
 public:
  // Fails as ValidateOptions does, and with kTooLarge / kTotalBytes where inputs, output and trace exceed kMaxBytes.
  static Result<Plan> Create(const AttentionOptions& options);
  // The same in place: a plan is 20 kB, and the stack of the wasm build has 64. After a failure the plan is of no use.
  Status Make(const AttentionOptions& options);

  const AttentionOptions& options() const { return options_; }
  // Of an input or a stage; null where this attention has none of that name.
  const Recipe* Find(Stage stage) const;
  // Like Find, for a stage that is known to exist.
  const Recipe& Get(Stage stage) const;
  bool Has(Stage stage) const { return Find(stage) != nullptr; }

  // Inputs and stages in the order in which they are computed.
  std::size_t count() const { return count_; }
  const Recipe& at(std::size_t i) const { return Get(order_[i]); }
  // The stage that is the result.
  Stage last() const { return last_; }

  // Elements of the workspace that inputs, stages and output take.
  std::size_t elements() const { return static_cast<std::size_t>(elements_); }
  // Queries computed at a time without a trace; with a trace all of them.
  std::size_t block_rows() const { return block_rows_; }

  // The matrix (row, column) of one head and batch entry of a stage, inside a workspace that begins at `base`. A stage
  // without the axis of heads, batch or rows is the same for all of them.
  template <class T>
  View<T> Matrix(T* base, Stage stage, std::size_t head, std::size_t entry = 0) const {
    const Recipe& recipe = Get(stage);
    Operand whole;
    whole.stage = stage;
    whole.rank = recipe.rank;
    whole.axes = recipe.axes;
    return Factor(base, recipe, whole, head, entry);
  }

  // What cells of `made` in one head and batch entry see of an operand: a matrix along its row or term or column axes.
  template <class T>
  View<T> Factor(T* base, const Recipe& made, const Operand& operand, std::size_t head, std::size_t entry) const {
    const Recipe& from = Get(operand.stage);
    View<T> view(base + from.offset, 1, 1, 1);
    bool has_columns = false;
    for (std::size_t a = operand.rank; a-- > 0;) {
      const std::size_t stride = from.strides[a];
      switch (operand.axes[a]) {
        case Axis::kBatch:
          view.data += entry * stride;
          break;
        case Axis::kHead:
          view.data += head * stride;
          break;
        case Axis::kKvHead:
          view.data += head / static_cast<std::size_t>(made.group) * stride;
          break;
        case Axis::kFirst:
          break;
        default: {
          std::size_t size = static_cast<std::size_t>(from.shape[a]);
          if (operand.axes[a] == Axis::kHeadColumn) {
            size = static_cast<std::size_t>(made.head_width);
            view.data += head * size;
          }
          if (has_columns) {
            view.rows = size;
            view.stride = stride;
          } else {
            view.cols = size;
            view.stride = size;
            has_columns = true;
          }
        }
      }
    }
    return view;
  }

 private:
  // Puts a stage behind the ones there are, with one part for all rows. Sizes serve the axes that it has; a letter b
  // counts where there is a batch.
  Recipe& Add(Stage stage, Operation operation, int terms, const char* axes, int heads, int rows, int cols,
              const Factors& first = {}, const Factors& second = {});
  // [rows, cols], with the batch in front.
  Part& AddMatrix(Stage stage, Operation operation, int terms, int rows, int cols, const Factors& first,
                  const Factors& second = {});
  // One of the [h, n_q, n_k] stages, made cell by cell.
  Part& AddMap(Stage stage, Operation operation, const Factors& first, const Factors& second = {});
  void AddGiven(Stage stage, bool given, int rows, int cols);
  void AddGivenVector(Stage stage, bool given, int cols);
  void AddGivenMask(Stage stage, int rank, int entries, int heads, int rows);
  Part& AddPart(Recipe& recipe, Operation operation, int rows, int terms, const Factors& first = {},
                const Factors& second = {});
  void AddOperand(Part& part, const Factors& factors);
  void AddMaskOperand(Part& part, Stage stage);
  // The bias of a dot product, where it is given.
  void AddAddend(Part& part, const Factors& factors);
  // Heads of a row lie one after the other.
  void SideBySide(Recipe& recipe);
  void Place(Recipe& recipe);

  void AddInputs();
  void AddTables();
  Stage AddPositions(Stage tokens, Stage positions, Stage sum, Positions kind, int rows, int cols);
  Stage AddNorm(Stage tokens, bool second);
  void AddProjection(Stage stage, Stage tokens, Stage weights, Stage bias, int heads, int width);
  Stage AddRotated(Stage stage, Stage from, int heads, int rows, int shift, int turning_rows);
  void AddScores(Stage queries, Stage keys);
  void AddHeads();
  void AddProduct(Stage stage, Stage tokens, Stage weights, Stage bias);
  void AddBlock(Stage tokens);

  AttentionOptions options_;
  std::array<Recipe, kStageCount> recipes_{};
  std::array<Stage, kStageCount> order_{};
  std::size_t count_ = 0;
  Stage last_ = Stage::kOutput;
  std::uint64_t elements_ = 0;
  std::size_t block_rows_ = 0;
};

}  // namespace loom
