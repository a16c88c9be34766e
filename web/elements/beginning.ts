// From what the element is given to its state: at the start, and whenever something given changes.

import type { StageDescription } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import { GIVEN, type Given, isGiven, modelOf } from "./attributes.ts";
import { parseChoice, parseCount } from "./parse.ts";
import { type Cursor, initialState, LEVELS, type LoomState, type Model, settle } from "./state/index.ts";

/** Everything that can be set on the element and has to be read. */
export type Settings = Given & { readonly level?: unknown; readonly stage?: unknown; readonly theme?: unknown };

/** The state so far, and the model that the settings said when they were last read. */
export interface Before {
  readonly state: LoomState;
  readonly given: Model;
}

/**
 * The state that the settings say, and the model they say. What is new among them moves the cursor; where the reader is
 * and what the reader has edited stays as it was otherwise.
 *
 * @param earlier the state so far, if there is one
 * @param changed names of the settings that are new
 * @param compute makes the numbers of a model and returns the stages
 * @throws AttributeError naming the attribute, the value and what is allowed
 */
export function stateOf(
  strings: Strings,
  settings: Settings,
  earlier: Before | undefined,
  changed: ReadonlySet<PropertyKey>,
  compute: (model: Model) => readonly StageDescription[],
): { readonly state: LoomState; readonly model: Model } {
  const before = earlier?.state;
  const given: Given = Object.fromEntries(Object.keys(GIVEN).map((name) => [name, settings[name as keyof Given]]));
  const model = modelOf(strings, given);
  const level = isGiven(settings.level) ? parseChoice(strings, "level", settings.level, LEVELS) : undefined;
  if (settings.theme) parseChoice(strings, "theme", settings.theme, ["auto", "light", "dark"]);
  const isSame = before !== undefined && JSON.stringify(earlier?.given) === JSON.stringify(model);
  const stages = compute(isSame ? before.model : model);
  const names = stages.map(({ name }) => name);
  // A stage that was there at the beginning may be gone from what the reader has made of the model.
  const isStageNew = !isSame || changed.has("stage");
  const stage =
    isStageNew && isGiven(settings.stage) ? parseChoice(strings, "stage", settings.stage, names) : undefined;
  const most = model.options.heads ?? 1;
  const head = isGiven(settings.head) ? parseCount(strings, "head", settings.head, most) - 1 : 0;
  const cursor: Partial<Cursor> = before
    ? {
        ...before.cursor,
        ...(changed.has("level") && level && { level }),
        ...(changed.has("stage") && stage && { stage, row: 0, column: 0, term: 0 }),
        ...(changed.has("head") && { head }),
      }
    : { level: level ?? "stage", stage: stage ?? names[0] ?? "", head };
  const fresh = initialState(model, cursor);
  const next = isSame
    ? { ...before, cursor: { ...before.cursor, ...cursor } }
    : { ...fresh, code: before?.code ?? fresh.code };
  return { state: settle(next, stages, names), model };
}
