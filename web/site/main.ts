import { connectThemeSwitch } from "./theme.ts";

connectThemeSwitch();

// Each figure has its place in the address, so that a link leads to what the reader sees.
document.querySelectorAll("loom-attention").forEach((figure, i) => {
  if (!figure.hasAttribute("hash")) figure.setAttribute("hash", i === 0 ? "figure" : `figure${i + 1}`);
});
