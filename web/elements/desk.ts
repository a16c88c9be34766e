// What the parts of the element share: the element itself, what is computed, and the few things a part may ask for.

import type { LitElement } from "lit";
import type { StageDescription } from "../core/types.ts";
import type { Numbers } from "../draw/numbers.ts";
import type { Scene } from "../draw/scene.ts";
import type { Strings } from "../strings/index.ts";
import type { Action, LoomState } from "./state/index.ts";

/** The element as its parts see it. Everything is asked for anew: nothing here is a copy. */
export interface Desk {
  readonly element: LitElement;
  state(): LoomState | undefined;
  numbers(): Numbers | undefined;
  stages(): readonly StageDescription[];
  strings(): Strings;
  /** What a frame is drawn from; nothing while there are no numbers. */
  scene(): Scene | undefined;
  /** One action of the reducer; false where it was refused or changes nothing. */
  act(action: Action): boolean;
  /** Play stops: the reader has taken over. */
  pause(): void;
  /** Said by the status region. */
  say(text: string): void;
  /** A message of the element, with its event. */
  fail(code: string, text: string, more?: Record<string, string>): void;
}

/** The message of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
