/** Security identifiers. Collectors write words (`Not found`, `DOMAIN_SID`) or names where they could not resolve one. */
export const isSid = (id: string): boolean => /^S-\d+-\d/i.test(id);
