/** Principals that exist in each domain without an object (MS-DTYP 2.4.2.4), and their ids in collection files. */

export interface WellKnownPrincipal {
  readonly sid: string;
  readonly name: string;
  readonly type: 'Group' | 'User';
}

export const ENTERPRISE_CONTROLLERS = 'S-1-5-9';

export const WELL_KNOWN_PRINCIPALS: readonly WellKnownPrincipal[] = [
  { sid: 'S-1-1-0', name: 'EVERYONE', type: 'Group' },
  { sid: 'S-1-5-11', name: 'AUTHENTICATED USERS', type: 'Group' },
  { sid: ENTERPRISE_CONTROLLERS, name: 'ENTERPRISE DOMAIN CONTROLLERS', type: 'Group' },
  { sid: 'S-1-5-7', name: 'ANONYMOUS LOGON', type: 'Group' },
  { sid: 'S-1-5-4', name: 'INTERACTIVE', type: 'Group' },
  { sid: 'S-1-5-17', name: 'IUSR', type: 'User' },
  { sid: 'S-1-5-20', name: 'NETWORK SERVICE', type: 'User' },
  { sid: 'S-1-3-4', name: 'OWNER RIGHTS', type: 'Group' },
];

/** Domain SIDs are unique; other SIDs have their domain name as a prefix, or the forest name for the enterprise controllers. */
export function objectIdOf(sid: string, domain: string, forest: string): string {
  if (sid.startsWith('S-1-5-21-')) return sid;
  return `${sid === ENTERPRISE_CONTROLLERS ? forest : domain}-${sid}`;
}
