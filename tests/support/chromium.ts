// The browsers of the tests.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import puppeteer, { type Browser } from "puppeteer-core";

/** Another Chromium than Debian's can be named by CHROMIUM. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The only fonts it sees. */
const fonts = fileURLToPath(new URL("fonts.conf", import.meta.url));
const font = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf";

/** No sandbox, as the tests may run as root; nothing that looks for other hosts by itself. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What a test wants otherwise. */
export interface BrowserOptions {
  /** Pages that are left are kept alive, and come back as they were. */
  readonly backForwardCache?: boolean;
  /** Flags of V8. */
  readonly jsFlags?: string;
}

/** Starts it without a window. `userDataDir`: an empty or new folder, which the caller removes; default one of its own. */
export function launchChromium(userDataDir?: string, options: BrowserOptions = {}): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(`Chromium expected at ${executablePath}: install the package chromium`);
  if (!existsSync(font)) throw new Error(`A font expected at ${font}: install the package fonts-liberation`);
  const env = { ...process.env, FONTCONFIG_FILE: fonts };
  return puppeteer.launch({
    executablePath,
    headless: true,
    args: options.jsFlags ? [...args, `--js-flags=${options.jsFlags}`] : args,
    env,
    // Puppeteer switches it off.
    ...(options.backForwardCache && { ignoreDefaultArgs: ["--disable-back-forward-cache"] }),
    ...(userDataDir !== undefined && { userDataDir }),
  });
}

/** Debian's Firefox; another one can be named by FIREFOX. */
const firefoxPath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

export const hasFirefox = existsSync(firefoxPath);

/** Starts it without a window, with a profile of its own that is thrown away. */
export function launchFirefox(): Promise<Browser> {
  return puppeteer.launch({
    browser: "firefox",
    protocol: "webDriverBiDi",
    executablePath: firefoxPath,
    headless: true,
  });
}
