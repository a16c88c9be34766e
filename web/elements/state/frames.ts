// Frames: which steps there are, as a pure function of the shapes of the stages.

import { type Cursor, LEVELS, type Level } from "../../draw/cursor.ts";
import { gridOf, type StageShape, stepsOf } from "../../draw/shape.ts";

export { gridOf, type StageShape } from "../../draw/shape.ts";

/** How many frames one stage has at a level. */
export function framesOfStage(stage: StageShape, level: Level): number {
  if (level === "stage") return 1;
  const { heads, rows, columns } = gridOf(stage);
  if (level === "row") return columns === 0 ? 0 : heads * rows;
  return heads * rows * columns * (level === "term" ? stepsOf(stage) : 1);
}

/** How many frames there are at a level. */
export function countFrames(stages: readonly StageShape[], level: Level): number {
  return stages.reduce((sum, stage) => sum + framesOfStage(stage, level), 0);
}

/** The index of the cursor's frame among the frames of its level. */
export function frameIndex(cursor: Cursor, stages: readonly StageShape[]): number {
  let before = 0;
  for (const stage of stages) {
    if (stage.name !== cursor.stage) {
      before += framesOfStage(stage, cursor.level);
      continue;
    }
    if (cursor.level === "stage") return before;
    const { rows, columns } = gridOf(stage);
    const row = cursor.head * rows + cursor.row;
    if (cursor.level === "row") return before + row;
    const cell = row * columns + cursor.column;
    return before + (cursor.level === "cell" ? cell : cell * stepsOf(stage) + cursor.term);
  }
  return 0;
}

/** The cursor of frame `index` (clamped). At stage level the head that is on view stays. */
export function cursorAt(stages: readonly StageShape[], level: Level, index: number, head = 0): Cursor {
  const total = countFrames(stages, level);
  let left = Math.min(Math.max(0, Math.trunc(index) || 0), Math.max(0, total - 1));
  for (const stage of stages) {
    const frames = framesOfStage(stage, level);
    if (left >= frames) {
      left -= frames;
      continue;
    }
    const { heads, rows, columns } = gridOf(stage);
    if (level === "stage") {
      return { level, stage: stage.name, head: clamp(head, heads), row: 0, column: 0, term: 0 };
    }
    const terms = stepsOf(stage);
    const term = level === "term" ? left % terms : 0;
    const cell = level === "term" ? Math.floor(left / terms) : left;
    const column = level === "row" ? 0 : cell % columns;
    const row = level === "row" ? cell : Math.floor(cell / columns);
    return { level, stage: stage.name, head: Math.floor(row / rows), row: row % rows, column, term };
  }
  return { level, stage: stages[0]?.name ?? "", head: 0, row: 0, column: 0, term: 0 };
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(0, Math.trunc(value) || 0), Math.max(0, size - 1));
}

/** The same place, moved into the shapes where it lies outside. A stage that is gone becomes the one nearest to it. */
export function clampCursor(cursor: Cursor, stages: readonly StageShape[], order: readonly string[] = []): Cursor {
  let stage = stages.find(({ name }) => name === cursor.stage);
  if (!stage) {
    const was = order.indexOf(cursor.stage);
    const before = order.slice(0, Math.max(0, was)).reverse();
    stage = stages.find(({ name }) => name === before.find((n) => stages.some((s) => s.name === n))) ?? stages[0];
    if (!stage) return cursor;
  }
  const { heads, rows, columns } = gridOf(stage);
  const level = LEVELS.includes(cursor.level) ? cursor.level : "stage";
  const clamped: Cursor = {
    level,
    stage: stage.name,
    head: clamp(cursor.head, heads),
    row: clamp(cursor.row, rows),
    column: clamp(cursor.column, columns),
    term: clamp(cursor.term, stepsOf(stage)),
  };
  return framesOfStage(stage, level) > 0 || countFrames(stages, level) === 0
    ? clamped
    : cursorAt(stages, level, frameIndex(clamped, stages));
}
