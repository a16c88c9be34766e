// Runs before the first paint, so that a reader's own choice of colours never flashes. Without a choice nothing is stored.
try {
  const theme = localStorage.getItem("loom-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's colours hold.
}
