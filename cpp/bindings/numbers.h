// Descriptions as rows of numbers in memory, for a reader on the other side that takes them in the same order.
#pragma once

#include <cstddef>

#include "matrix/buffer.h"
#include "trace/origin.h"

namespace loom::bindings {

// Writes one number after the other; without memory it only counts.
class NumberWriter {
 public:
  explicit NumberWriter(double* to) : to_(to) {}
  template <class... Numbers>
  void Put(Numbers... numbers) {
    (PutOne(static_cast<double>(numbers)), ...);
  }
  std::size_t count() const { return count_; }

 private:
  void PutOne(double number) {
    if (to_ != nullptr) to_[count_] = number;
    ++count_;
  }
  double* to_;
  std::size_t count_ = 0;
};

// Stages; then for each its number, operation and the rest of its recipe, operands last. web/core/plan.ts reads it.
void WritePlan(const Plan& plan, NumberWriter& to);

// Operation, value, constant, reasons, terms; then the terms. web/core/trace.ts reads it.
void WriteOrigin(const Plan& plan, const Origin& origin, NumberWriter& to);

// Cells; then stage and index of each.
void WriteFeeds(const Plan& plan, const Feeds& feeds, NumberWriter& to);

// Counts, reserves, writes. Fails with kNoMemory.
template <class Write>
Result<Buffer> Written(const Write& write) {
  NumberWriter counter(nullptr);
  write(counter);
  Result<Buffer> memory = Buffer::Create(counter.count() * sizeof(double));
  if (!memory.ok()) return memory;
  NumberWriter writer(static_cast<double*>(memory.value().data()));
  write(writer);
  return memory;
}

}  // namespace loom::bindings
