#include "trace/stage.h"

namespace loom {
namespace {

#define LOOM_NAME(id, name) name,
constexpr const char* kStageNames[] = {LOOM_STAGES(LOOM_NAME) ""};
constexpr const char* kOperationNames[] = {LOOM_OPERATIONS(LOOM_NAME) ""};
constexpr const char* kAxisNames[] = {LOOM_AXES(LOOM_NAME) ""};
#undef LOOM_NAME

template <class Id, std::size_t N>
const char* NameOf(const char* const (&names)[N], Id id) {
  const auto i = static_cast<std::size_t>(id);
  return names[i < N ? i : N - 1];
}

}  // namespace

const char* StageName(Stage stage) { return NameOf(kStageNames, stage); }
const char* OperationName(Operation operation) { return NameOf(kOperationNames, operation); }
const char* AxisName(Axis axis) { return NameOf(kAxisNames, axis); }

}  // namespace loom
