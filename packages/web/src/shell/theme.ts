/** Light or dark: as the system is set, unless the person chose one. */

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'clew.theme';

export function chosenTheme(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

export function chooseTheme(theme: ThemeChoice): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this tab.
  }
  applyTheme(theme);
}

export function applyTheme(theme: ThemeChoice = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('clew-theme'));
}
