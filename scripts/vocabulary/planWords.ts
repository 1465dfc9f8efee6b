/**
 * Words about plans, one for each thing, as `docs/plan.md` uses them; the table of CONTRIBUTING.md has their meanings. "Label", "place"
 * and "named" are also right in other sentences, so patterns find only phrases in which another word is meant.
 */

/** Phrases of comments and texts, and of documentation. */
export const PLAN_PHRASES: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [
    /\bplans?\s+(?:that\s+(?:is|are)\s+)?(?:in\s+progress|(?:being\s+)?carried\s+out)\b/gi,
    'started plan" or "started plans',
  ],
  [/\badopted\s+plans?\b/gi, 'started plan" or "started plans'],
  [/\blabels?\s+of\s+(?:a\s+|the\s+)?(?:users?|teams?)\b/gi, 'label zone'],
];

/** Words of comments alone: texts in code name columns and operations that clients know. */
export const PLAN_WORDS: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  // The command is `clew plans adopt`, the operation `AdoptPlan`.
  [/(?<!plans )\badopt(?:s|ed|ing|ions?)?\b/gi, 'start" or "started plan'],
];

/** Code and comments about the search of plans, in which each of these things has one word. */
export const PLAN_CODE = /^packages\/(?:planning|plans)\/src\/(?!.*\.test\.ts$)/;

/** Words of comments in `PLAN_CODE`. */
export const PLAN_SEARCH_WORDS: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [/\b(?:tags?|marks?|colors?)\s+of\s+(?:a\s+|the\s+|each\s+)?(?:steps?|repairs?|packages?)\b/gi, 'label'],
  [/\b(?:suggested|proposed|nominated|preselected)\s+packages?\b/gi, 'named packages'],
  [/\bfor\s+good\b/gi, 'permanent'],
];

/** Names in `PLAN_CODE`. The names of the API, its operations and the columns of the store are in its clients: they stay. */
export const PLAN_NAMES: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [
    /\b(?!(?:AdoptPlan|ListAdoptedPlans|GetAdoptedPlan|AdoptedChange|AdoptedRepair|AdoptionRecord|NewAdoption|ADOPTION_COLUMNS|adopted_at|adopt|adoption)\b)(?:[A-Za-z_]+)?(?:[aA]dopt|ADOPT)\w*/g,
    'started plan',
  ],
  [/\b\w*(?:ForGood|FOR_GOOD)\b|\bforGood\w*/g, 'permanent'],
];
