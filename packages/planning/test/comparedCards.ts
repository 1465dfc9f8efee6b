import type { PlanSearch } from '../src/search/planSearch.ts';

/** @returns the cards of the plan before as of now, in terms that do not depend on the packages that were searched */
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
