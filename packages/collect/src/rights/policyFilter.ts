/**
 * Security filtering of a group policy: only principals that may read and apply it receive its settings. By default, all authenticated users
 * and computers may (Apply-Group-Policy, MS-ADTS 5.1.3.2.1; MS-GPOL 3.2.5.1).
 */
import type { AccessEntry, SecurityDescriptor } from '../descriptor/securityDescriptor.ts';
import { ENTRY_FLAG, RIGHT } from '../descriptor/securityDescriptor.ts';
import { AUTHENTICATED_USERS, EVERYONE } from './grantedRights.ts';

const APPLY = 'edacfd8f-ffb3-11d1-b41d-00a0c968f939';

/** `groups`: only some principals may apply the policy; `denied`: all except some may. */
export type PolicyFilter = 'none' | 'groups' | 'denied';

export function policyFilter({ entries, hasAccessList }: SecurityDescriptor): PolicyFilter {
  if (!hasAccessList) return 'none';
  const own = entries.filter(({ flags }) => (flags & ENTRY_FLAG.inheritOnly) === 0);
  const isForAll = allows(own, coversReading) && allows(own, coversApplying);
  if (!isForAll) return 'groups';
  const isDenied = own.some(
    (entry) => entry.isDenied && !entry.isConditional && (coversApplying(entry) || coversReading(entry)),
  );
  return isDenied ? 'denied' : 'none';
}

const coversReading = ({ mask, objectType }: AccessEntry): boolean =>
  (mask & RIGHT.read) !== 0 && objectType === '';

const coversApplying = ({ mask, objectType }: AccessEntry): boolean =>
  (mask & RIGHT.extended) !== 0 && (objectType === '' || objectType === APPLY);

/** The first entry for all users that covers a right applies. A condition may exclude some of them. */
function allows(entries: readonly AccessEntry[], covers: (entry: AccessEntry) => boolean): boolean {
  const first = entries.find(({ sid, ...entry }) => FOR_ALL.includes(sid) && covers({ sid, ...entry }));
  return first !== undefined && !first.isDenied && !first.isConditional;
}

const FOR_ALL: readonly string[] = [EVERYONE, AUTHENTICATED_USERS];
