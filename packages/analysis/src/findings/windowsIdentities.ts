/**
 * Identities that Windows itself uses, such as NETWORK SERVICE, LOCAL SERVICE, SYSTEM, IUSR and the accounts of single services. Collectors
 * describe some of them as users of each domain. No one has their credentials, so they are not counted among its principals; steps over them
 * stay.
 *
 * Rule: `docs/findings.md#exposure-and-impact`. Source: MS-DTYP 2.4.2.4.
 */
import { type AttackGraph, findNodesByPrefix, objectIdOf } from '@clew/graph';

/** SIDs of accounts, which a domain or computer issued. */
const OF_ACCOUNTS = 'S-1-5-21-';

/** A SID, with the name of a domain before it where it is the same in each. */
const SID = /(?:^|-)S-1-(?<authority>\d+)-(?<first>\d+)(?:-\d+)*$/;

/** Entra ID issues SIDs of this authority for its accounts. */
const ENTRA = '12';

/** @returns whether a node is such an identity, by its object id */
export function windowsIdentityFinder(graph: AttackGraph): (node: number) => boolean {
  const { first, end } = findNodesByPrefix(graph, OF_ACCOUNTS);
  return (node) => (node < first || node >= end) && isWindowsIdentity(objectIdOf(graph, node));
}

export function isWindowsIdentity(objectId: string): boolean {
  const sid = SID.exec(objectId)?.groups;
  if (sid === undefined || sid.authority === ENTRA) return false;
  return sid.authority !== '5' || sid.first !== '21';
}
