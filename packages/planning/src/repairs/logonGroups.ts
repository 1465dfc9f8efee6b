/** Groups that Windows adds to the token of an account at logon. Collectors also list their members. */
import { windowsIdentityFinder } from '@clew/analysis';
import { type AttackGraph, objectIdOf } from '@clew/graph';

/** The aliases of a domain or computer have ordinary members. */
const ALIAS = /(?:^|-)S-1-5-32-\d+$/;

/**
 * @returns whether Windows decides who is a member of a group, such as Enterprise Domain Controllers (S-1-5-9) or Authenticated Users
 * (S-1-5-11). Source: Microsoft, "Security identifiers" and "Special identity groups".
 */
export function logonGroupFinder(graph: AttackGraph): (group: number) => boolean {
  const isOfWindows = windowsIdentityFinder(graph);
  return (group) => isOfWindows(group) && !ALIAS.test(objectIdOf(graph, group));
}
