/** Light or dark theme: the system setting, unless the user selects one. */

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
    // The selection applies to this tab only.
  }
  applyTheme(theme);
}

export function applyTheme(theme: ThemeChoice = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('clew-theme'));
}

export type Density = 'comfortable' | 'compact';

const DENSITY_KEY = 'clew.density';

export function chosenDensity(): Density {
  try {
    return localStorage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    return 'comfortable';
  }
}

export function chooseDensity(density: Density): void {
  try {
    if (density === 'comfortable') localStorage.removeItem(DENSITY_KEY);
    else localStorage.setItem(DENSITY_KEY, density);
  } catch {
    // The selection applies to this tab only.
  }
  applyDensity(density);
}

export function applyDensity(density: Density = chosenDensity()): void {
  if (density === 'comfortable') delete document.documentElement.dataset.density;
  else document.documentElement.dataset.density = density;
}
