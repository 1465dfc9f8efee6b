/** Links of group policies to units, domains and sites (MS-GPOL 2.2.2): `[LDAP://cn={...},...;2]`. */

export interface PolicyLink {
  /** Name of the policy in lower case. */
  readonly dn: string;
  readonly isDisabled: boolean;
  readonly isEnforced: boolean;
}

const DISABLED = 1;
const ENFORCED = 2;

/** @returns links in the order of the attribute: the last one takes precedence */
export function readPolicyLinks(value: string | undefined): readonly PolicyLink[] {
  return [...(value ?? '').matchAll(/\[LDAP:\/\/([^\];]*);(\d+)\]/gi)].map(([, dn, options]) => ({
    dn: dn.toLowerCase(),
    isDisabled: (Number(options) & DISABLED) !== 0,
    isEnforced: (Number(options) & ENFORCED) !== 0,
  }));
}
