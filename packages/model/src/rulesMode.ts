/** Rules for cases in which the public product differs: correct for a defender (`clean`), or like that product (`parity`). */
export const RULES_MODES = ['clean', 'parity'] as const;

/** `CLEW_RULES`; every difference is listed in `docs/rules.md` and in the quirks of the related lists. */
export type RulesMode = (typeof RULES_MODES)[number];
