/** The list that a finding was opened from, so that its neighbors can be opened from there. Numbers alone are kept. */

const KEY = 'clew.finding-list';

export function rememberList(ids: readonly number[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Findings then have no neighbors.
  }
}

function rememberedList(): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids : [];
  } catch {
    return [];
  }
}

interface Neighbors {
  /** Its place in the list, from 0. */
  readonly at: number;
  readonly count: number;
  readonly idAt: (at: number) => number | undefined;
}

/** @returns nothing for a finding that was not opened from a list */
export function neighborsOf(id: number): Neighbors | undefined {
  const ids = rememberedList();
  const at = ids.indexOf(id);
  if (at < 0 || ids.length < 2) return undefined;
  return {
    at,
    count: ids.length,
    idAt: (place) => {
      const one = ids[place];
      return typeof one === 'number' ? one : undefined;
    },
  };
}
