/** Sentences that rules for Active Directory and for Entra ID share. */

export const EXPECTED = 'Administrators who do this as part of their work';
export const NO_RULE = 'Clew has no rule for it.';
export const NOT_SINGLE =
  'the event contains the account that acts, and the principal of the relationship is not a single account.';
