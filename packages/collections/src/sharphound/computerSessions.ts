/**
 * Sessions seen on computers. Each is a snapshot: it adds to the known ones and expires, it never replaces them. All sessions of a computer
 * have one owner, whichever kind of file has them.
 *
 * Rules: `docs/reference/collections.md#computers` (inside computers) and `docs/reference/collections.md#sessions` (separate files).
 */
import { type EdgeFact, EdgeFlag, type Properties } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import type { Members } from './members.ts';

const LISTS = ['Sessions', 'PrivilegedSessions', 'RegistrySessions'] as const;

/** @returns the session as an edge; `undefined` if it lacks its computer or its user */
export function sessionEdge(session: Members, flags: number, properties?: Properties): EdgeFact | undefined {
  const computer = { id: session.id('ComputerSID'), kind: 'Computer' };
  const user = { id: session.id('UserSID'), kind: 'User' };
  if (computer.id === '' || user.id === '') return undefined;
  return edge(computer, 'HasSession', user, flags, properties);
}

/**
 * The computer of a session is the one it names, which need not be the one that was asked. That one was looked at when
 * some list says so, also if it is empty.
 */
export function readComputerSessions(object: DirectoryObject): void {
  const edges: EdgeFact[] = [];
  const lists = LISTS.map((list) => object.collected(list)).filter((list) => list !== undefined);
  for (const session of lists.flatMap((list) => list.children('Results'))) {
    const found = sessionEdge(session, EdgeFlag.HasAcl);
    if (found !== undefined) edges.push(found);
    else object.problems.note('sessions without a computer or a user were left out');
  }
  const wasLookedAt = lists.length > 0 && !object.isStub;
  const byComputer = Map.groupBy(edges, ({ startId }) => startId);
  const own = byComputer.get(object.self.id) ?? [];
  byComputer.delete(object.self.id);
  object.addAspect('sessions', wasLookedAt, () => ({ edges: own }));
  for (const [computer, found] of byComputer) {
    object.addAspect('sessions', false, () => ({ edges: found }), { id: computer, kind: 'Computer' });
  }
}
