/** Which rules hold where the public product behaves otherwise: right for a defender, or as it answers. */
export const RULES_MODES = ['clean', 'parity'] as const;

/** `CLEW_RULES`; every difference is listed in `docs/rules.md` and in the quirks of the related lists. */
export type RulesMode = (typeof RULES_MODES)[number];
