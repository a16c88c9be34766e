const key = "loom-theme";

/** Makes the switch of colours work. The choice is stored only when the reader makes one; "auto" forgets it. */
export function connectThemeSwitch(root: HTMLElement = document.documentElement): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[name="theme"]')];
  const current = root.dataset.theme ?? "auto";
  for (const input of inputs) {
    input.checked = input.value === current;
    input.addEventListener("change", () => {
      if (input.value === "auto") delete root.dataset.theme;
      else root.dataset.theme = input.value;
      try {
        if (input.value === "auto") localStorage.removeItem(key);
        else localStorage.setItem(key, input.value);
      } catch {
        // Storage is blocked or full: the choice holds for this page.
      }
    });
  }
}
