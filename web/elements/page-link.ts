// The state in the address of the page, for figures that are given a name for it: #name=link.

import type { ReactiveController } from "lit";
import { type Desk, reasonOf } from "./desk.ts";
import { LinkError } from "./state/link.ts";

/** The address follows at most this often, in milliseconds. */
const EVERY = 300;

/** Parts of an address behind "#", in order. */
function partsOf(hash: string): string[] {
  return hash.replace(/^#/, "").split("&").filter(Boolean);
}

/** The text that an address has for a figure; nothing where it has none. */
export function linkIn(hash: string, name: string): string | undefined {
  const part = partsOf(hash).find((one) => one.startsWith(`${name}=`));
  return part?.slice(name.length + 1);
}

/** The address with the text of one figure put in. Those of others stay; the name of a heading does not go with them. */
export function hashWith(hash: string, name: string, link: string): string {
  const others = partsOf(hash).filter((one) => !one.startsWith(`${name}=`));
  return `#${[...others.filter((one) => one.includes("=")), `${name}=${link}`].join("&")}`;
}

/** What the page's address and the figure have to do with each other. */
export interface Linked {
  /** The figure's part of the address; empty: none. */
  name(): string;
  /** The state as it is now, if there is one. Throws LinkError where it is too large. */
  link(): string | undefined;
  /** The address says this now. */
  follow(link: string): void;
}

/** Keeps address and figure together. The figure reads its part when it begins. */
export class PageLink implements ReactiveController {
  readonly #desk: Desk;
  readonly #linked: Linked;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What this figure has written, so that it does not follow itself. */
  #written: string | undefined;

  constructor(desk: Desk, linked: Linked) {
    this.#desk = desk;
    this.#linked = linked;
    desk.element.addController(this);
  }

  hostConnected(): void {
    addEventListener("hashchange", this.#onHash);
  }

  hostDisconnected(): void {
    removeEventListener("hashchange", this.#onHash);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The figure has a name in the address. */
  get isOn(): boolean {
    return this.#linked.name() !== "";
  }

  /** What the address says of this figure when it begins. */
  get given(): string | undefined {
    const name = this.#linked.name();
    return name === "" ? undefined : linkIn(location.hash, name);
  }

  /** The reader has done something: soon the address says so. What cannot stand there is said when it is asked for. */
  changed(): void {
    if (!this.isOn) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        this.#write();
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
      }
    }, EVERY);
  }

  /** The address now, with the state in it; nothing where the page forbids that. Throws LinkError where it is too large. */
  #write(): string | undefined {
    const name = this.#linked.name();
    const link = this.#linked.link();
    if (name === "" || link === undefined) return undefined;
    try {
      history.replaceState(history.state, "", hashWith(location.hash, name, link));
    } catch {
      return undefined;
    }
    this.#written = link;
    return location.href;
  }

  /** Copies the address, and says so; where there is no clipboard the address bar has it. */
  async copy(): Promise<void> {
    const strings = this.#desk.strings();
    let address: string | undefined;
    try {
      address = this.#write();
    } catch (error) {
      this.#desk.say(strings.text("link.tooLarge", { reason: reasonOf(error) }));
      return;
    }
    if (address === undefined) {
      this.#desk.say(strings.text("link.none"));
      return;
    }
    try {
      await navigator.clipboard.writeText(address);
      this.#desk.say(strings.text("link.copied"));
    } catch {
      this.#desk.say(strings.text("link.inAddress"));
    }
  }

  readonly #onHash = () => {
    const link = this.given;
    if (link === undefined || link === this.#written) return;
    this.#written = link;
    this.#linked.follow(link);
  };
}
