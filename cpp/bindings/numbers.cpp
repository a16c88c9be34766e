#include "bindings/numbers.h"

namespace loom::bindings {
namespace {

void WriteCell(const Plan& plan, const Cell& cell, NumberWriter& to) {
  const Recipe* recipe = plan.Find(cell.stage);
  const std::size_t rank = recipe == nullptr ? 0 : recipe->rank;
  to.Put(cell.stage, rank);
  for (std::size_t a = 0; a < rank; ++a) to.Put(cell.index[a]);
}

}  // namespace

void WritePlan(const Plan& plan, NumberWriter& to) {
  to.Put(plan.elements(), plan.options().scale, plan.last(), plan.count());
  for (std::size_t s = 0; s < plan.count(); ++s) {
    const Recipe& recipe = plan.at(s);
    to.Put(recipe.stage, recipe.offset, recipe.head_width, recipe.group, recipe.shift, recipe.rank);
    for (std::size_t a = 0; a < recipe.rank; ++a) to.Put(recipe.axes[a], recipe.shape[a], recipe.strides[a]);
    to.Put(recipe.part_count);
    for (std::size_t p = 0; p < recipe.part_count; ++p) {
      const Part& part = recipe.parts[p];
      to.Put(part.first_row, part.end_row, part.operation, part.terms, part.has_addend, part.operand_count);
      for (std::size_t o = 0; o < part.operand_count; ++o) {
        const Operand& operand = part.operands[o];
        to.Put(operand.stage, operand.rank);
        for (std::size_t a = 0; a < operand.rank; ++a) to.Put(operand.axes[a]);
      }
    }
  }
}

void WriteOrigin(const Plan& plan, const Origin& origin, NumberWriter& to) {
  to.Put(origin.operation(), origin.value(), origin.constant(), origin.blocked_by(), origin.term_count());
  for (std::size_t t = 0; t < origin.term_count(); ++t) {
    const OriginTerm& term = origin.term(t);
    to.Put(term.value, term.partial, term.left_out, term.operand_count);
    for (std::size_t o = 0; o < term.operand_count; ++o) {
      to.Put(term.operands[o].value);
      WriteCell(plan, term.operands[o].cell, to);
    }
  }
}

void WriteFeeds(const Plan& plan, const Feeds& feeds, NumberWriter& to) {
  to.Put(feeds.count());
  for (std::size_t i = 0; i < feeds.count(); ++i) WriteCell(plan, feeds.cell(i), to);
}

}  // namespace loom::bindings
