/**
 * Sessions seen on computers. Each is a snapshot that is added to the known ones and expires; it never replaces them. All sessions of a
 * computer have the same owner, whatever kind of file contains them.
 *
 * Rules: `docs/reference/collections.md#computers` (inside computers) and `docs/reference/collections.md#sessions` (separate files).
 */
import { type EdgeFact, EdgeFlag, type MatchedEdgeFact, OWNERLESS, type Properties } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { domainOf, edgeFromHost, hostName } from './hostNames.ts';
import type { Members } from './members.ts';

/** Owner of sessions on computers that are known by name only. */
const NOBODY = { id: OWNERLESS, kind: '' };

const LISTS = ['Sessions', 'PrivilegedSessions', 'RegistrySessions'] as const;

/**
 * @param domain DNS name appended to short host names
 * @returns the session as an edge, from the computer with the name if the session has no id; `undefined` if the computer or user is
 * missing, the user is a plain name, or the host has no domain
 */
export function sessionEdge(
  session: Members,
  flags: number,
  domain: string,
  properties?: Properties,
): EdgeFact | MatchedEdgeFact | undefined {
  const computer = { id: session.reference('ComputerSID'), kind: 'Computer' };
  const user = { id: session.idReference('UserSID'), kind: 'User' };
  if (computer.id === '' || user.id === '') return undefined;
  const host = hostName(computer.id, domain);
  if (host === undefined && session.idReference('ComputerSID') === '') return undefined;
  if (host !== undefined) return edgeFromHost(host, 'HasSession', user, flags, properties);
  return edge(computer, 'HasSession', user, flags, properties);
}

/**
 * A session belongs to the computer that it names, which may differ from the queried one. The queried one was examined if any list is
 * marked as collected, even if it is empty.
 */
export function readComputerSessions(object: DirectoryObject): void {
  const edges: EdgeFact[] = [];
  const ofNames: MatchedEdgeFact[] = [];
  const lists = LISTS.map((list) => object.collected(list)).filter((list) => list !== undefined);
  for (const session of lists.flatMap((list) => list.children('Results'))) {
    const found = sessionEdge(session, EdgeFlag.HasAcl, domainOf(object));
    if (found !== undefined && 'start' in found) ofNames.push(found);
    else if (found !== undefined) edges.push(found);
    else object.problems.note('sessions without a computer or a user were skipped');
  }
  const wasLookedAt = lists.length > 0 && !object.isStub;
  const byComputer = Map.groupBy(edges, ({ startId }) => startId);
  const own = byComputer.get(object.self.id) ?? [];
  byComputer.delete(object.self.id);
  object.addAspect('sessions', wasLookedAt, () => ({ edges: own }));
  if (ofNames.length > 0)
    object.addAspect('sessions', false, () => ({ edges: [], matchedEdges: ofNames }), NOBODY);
  for (const [computer, found] of byComputer) {
    object.addAspect('sessions', false, () => ({ edges: found }), { id: computer, kind: 'Computer' });
  }
}
