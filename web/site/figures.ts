// Loaded by pages that have a figure. Registers by a call: package.json names dist/element.js as the only file that does
// something when it is imported, so a bundler drops a bare import of elements/register.ts.
import { defineLoom } from "../elements/define.ts";

// A figure that is taller than the window sticks with its lower edge in view instead of its upper one; the style sheet
// does that as soon as it knows the height.
const sizes = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize } of entries) {
    const height = borderBoxSize[0]?.blockSize ?? 0;
    (target as HTMLElement).style.setProperty("--figure-height", `${Math.ceil(height)}px`);
  }
});
for (const figure of document.querySelectorAll(".loom-figure")) sizes.observe(figure);

defineLoom();
