/**
 * Security identifiers. If collectors could not resolve a SID, they write words (`Not found`, `DOMAIN_SID`), names, or a part of it
 * (`S-1-5-None`).
 */
export const isSid = (id: string): boolean => /^S-1-\d+(?:-\d+)+$/i.test(id);
