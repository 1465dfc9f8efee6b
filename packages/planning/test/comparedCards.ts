import type { PlanSearch } from '../src/search/planSearch.ts';

/** @returns the previous plan's cards on current facts, in terms that do not depend on the searched packages */
export const comparedCards = (search: PlanSearch) =>
  search.previousCards().map(({ packages: places, ...card }) => ({
    ...card,
    keys: search.keysOf(places).sort(),
    changes: search
      .repairs(places)
      .map(({ id }) => id)
      .sort(),
    rest: search.restsOnSessions(places, []),
  }));
