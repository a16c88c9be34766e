// Play: one step after another, as fast as the level and the reader's speed say. It never starts by itself.

import type { ReactiveController } from "lit";
import type { Desk } from "./desk.ts";
import { countFrames, frameIndex, type Level } from "./state/index.ts";

/** Speeds to choose from. */
export const SPEEDS: readonly number[] = [0.5, 1, 2, 4];
/** How long a frame stays at speed 1, in milliseconds. */
const PAUSES: Readonly<Record<Level, number>> = { stage: 3200, row: 2000, cell: 1300, term: 900 };

/** The timer of play. Stops where the page is hidden and where the element leaves it. */
export class Player implements ReactiveController {
  readonly #desk: Desk;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPlaying = false;
  #speed = 1;

  constructor(desk: Desk) {
    this.#desk = desk;
    desk.element.addController(this);
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = speed || 1;
    if (!this.#isPlaying) return;
    this.stop();
    this.#play();
  }

  hostConnected(): void {
    document.addEventListener("visibilitychange", this.#onVisibility);
  }

  hostDisconnected(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.stop();
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.#play();
  }

  pause(): void {
    if (!this.#isPlaying) return;
    this.stop();
    this.#desk.element.requestUpdate();
  }

  /** Stops without drawing anew. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isPlaying = false;
  }

  #play(): void {
    const cursor = this.#desk.state()?.cursor;
    if (!cursor || this.#isAtEnd()) return;
    this.#isPlaying = true;
    this.#timer = setTimeout(() => {
      this.#desk.act({ type: "next" });
      if (this.#isAtEnd()) {
        this.pause();
        this.#desk.say(this.#desk.strings().text("end"));
      } else this.#play();
    }, PAUSES[cursor.level] / this.#speed);
    this.#desk.element.requestUpdate();
  }

  #isAtEnd(): boolean {
    const cursor = this.#desk.state()?.cursor;
    const stages = this.#desk.stages();
    return !cursor || frameIndex(cursor, stages) >= countFrames(stages, cursor.level) - 1;
  }

  readonly #onVisibility = () => {
    if (document.hidden) this.pause();
  };
}
