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
