// Collects what must not happen, and what the elements tell.
window.faults = [];
window.told = [];
window.lines = [];
const inform = console.info;
console.info = (...words) => {
  window.lines.push(words.join(" "));
  inform(...words);
};
addEventListener("error", (event) => window.faults.push(String(event.message)));
addEventListener("unhandledrejection", (event) => window.faults.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) =>
  window.faults.push(`${event.violatedDirective} ${event.blockedURI}`),
);
for (const name of ["loom-ready", "loom-step", "loom-change", "loom-error"]) {
  addEventListener(name, (event) => window.told.push({ name, detail: structuredClone(event.detail) }));
}
