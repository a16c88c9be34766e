// The browsers of the tests.

import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";

/** Another Chromium than Debian's can be named by CHROMIUM. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

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

/** Starts it without a window. `userDataDir`: an empty or new folder, which the caller removes; default one of its own. */
export function launchChromium(userDataDir?: string): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(`Chromium expected at ${executablePath}: install the package chromium`);
  return puppeteer.launch({ executablePath, headless: true, args, ...(userDataDir !== undefined && { userDataDir }) });
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
