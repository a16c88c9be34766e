// What a step costs the browser, counted and not timed: measuring between changes makes it lay the page out again and again.

import { expect, test } from "vitest";
import { emptyPage, type Stepper, useFigurePages } from "../support/figure-page.ts";

useFigurePages();

const STEPS = 60;

test.each(["row", "cell", "term"])("a step at level %s is laid out once", async (level) => {
  const page = await emptyPage();
  const session = await page.createCDPSession();
  await session.send("Performance.enable");
  const layouts = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "LayoutCount")?.value ?? Number.NaN;
  };
  const steps = (count: number) =>
    page.evaluate(async (times) => {
      const element = document.querySelector("loom-attention") as Stepper;
      for (let i = 0; i < times; i++) {
        element.act({ type: i % 3 === 2 ? "back" : "next" });
        await element.updateComplete;
        await new Promise((done) => requestAnimationFrame(() => afterFrame(done)));
      }
      // The frame of a step has been made when the next task runs.
      function afterFrame(done: (value: unknown) => void) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(0);
      }
    }, count);
  await page.evaluate(async (wanted) => {
    const element = document.createElement("loom-attention") as Stepper;
    const ready = new Promise((done) => element.addEventListener("loom-ready", done, { once: true }));
    document.querySelector("main")?.append(element);
    await ready;
    element.act({ type: "jump", stage: "scores", level: wanted, row: 0, column: 0, term: 0 });
    await element.updateComplete;
    // What is read aloud is written some time after the step, and laid out for itself.
    Object.assign(window, { setTimeout: () => 0 });
  }, level);
  await steps(6);
  const before = await layouts();
  await steps(STEPS);
  // Where a stage ends, the map or the formula may need another.
  expect((await layouts()) - before).toBeLessThanOrEqual(STEPS * 1.1);
});
