// Light or dark: as the system says until the user chooses.
const key = "carom-theme";
const listeners: (() => void)[] = [];

export const onTheme = (listener: () => void): void => void listeners.push(listener);

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

function apply(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = localStorage.getItem(key);
  apply(chosen ? chosen === "dark" : system.matches);
  system.addEventListener("change", () => {
    if (!localStorage.getItem(key)) apply(system.matches);
  });
}

export function toggleTheme(): void {
  localStorage.setItem(key, isDark() ? "light" : "dark");
  apply(!isDark());
}
