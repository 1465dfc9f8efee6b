/**
 * Identities that Windows itself uses, such as NETWORK SERVICE, LOCAL SERVICE, SYSTEM, IUSR and the accounts of single services. Some
 * collectors report them as users of each domain. No one has their credentials, so they are not counted as principals; steps over them
 * remain.
 *
 * Rule: `docs/findings.md#exposure-and-impact`. Source: MS-DTYP 2.4.2.4.
 */
import { type AttackGraph, findNodesByPrefix, objectIdOf } from '@clew/graph';

/** Prefix of SIDs of accounts, issued by a domain or computer. */
const OF_ACCOUNTS = 'S-1-5-21-';

/** A SID, prefixed with the name of a domain if it is the same in each. */
const SID = /(?:^|-)S-1-(?<authority>\d+)-(?<first>\d+)(?:-\d+)*$/;

/** Entra ID issues SIDs with this authority for its accounts. */
const ENTRA = '12';

/** @returns a predicate for nodes that are such identities, by object id */
export function windowsIdentityFinder(graph: AttackGraph): (node: number) => boolean {
  const { first, end } = findNodesByPrefix(graph, OF_ACCOUNTS);
  return (node) => (node < first || node >= end) && isWindowsIdentity(objectIdOf(graph, node));
}

export function isWindowsIdentity(objectId: string): boolean {
  const sid = SID.exec(objectId)?.groups;
  if (sid === undefined || sid.authority === ENTRA) return false;
  return sid.authority !== '5' || sid.first !== '21';
}
