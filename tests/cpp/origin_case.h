// Every cell of a traced attention at random, under a name that sets and messages can hold.
#pragma once

#include <string>
#include <vector>

#include "random_case.h"
#include "trace/origin.h"

namespace loom::test {

using Key = std::array<int, 1 + kMaxRank>;
inline Key KeyOf(const Cell& cell) {
  return {int(cell.stage), cell.index[0], cell.index[1], cell.index[2], cell.index[3]};
}

inline std::string Text(const Cell& cell) {
  std::string text = StageName(cell.stage);
  for (const std::int32_t i : cell.index) text += " " + std::to_string(i);
  return text;
}

inline std::vector<Cell> AllCells(const Plan& plan) {
  std::vector<Cell> cells;
  for (std::size_t s = 0; s < plan.count(); ++s) {
    EachIndex(plan.at(s), [&](const Index& index) { cells.push_back({plan.at(s).stage, index}); });
  }
  return cells;
}

// Small: every cell is asked for its terms, and those for theirs.
inline Case RandomCase(std::uint64_t seed) {
  Random random(seed);
  Case c(RandomOptions(random, 4, 3));
  FillRandom(c, random);
  c.Run();
  return c;
}

}  // namespace loom::test
