/**
 * Security identifiers. Collectors write words (`Not found`, `DOMAIN_SID`), names, or a part of a SID (`S-1-5-None`) where they could not
 * resolve one.
 */
export const isSid = (id: string): boolean => /^S-1-\d+(?:-\d+)+$/i.test(id);
