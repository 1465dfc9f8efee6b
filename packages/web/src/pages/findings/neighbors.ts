/** The list from which a finding was opened, so that its neighbors can be opened. Only finding numbers are stored. */

const KEY = 'clew.finding-list';

export function rememberList(ids: readonly number[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without storage, findings have no neighbors.
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
  /** Index of the finding in the list, from 0. */
  readonly at: number;
  readonly count: number;
  readonly idAt: (at: number) => number | undefined;
}

/** @returns `undefined` for a finding that was not opened from a list */
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
