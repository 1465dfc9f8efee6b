/** Files of sessions: edges only, no objects. Rule: `docs/reference/collections.md#sessions`. */
import { type ObjectFacts, OWNERLESS } from '@clew/model';
import { isObject, type Json } from '../json/value.ts';
import { type CollectionReader, type ObjectPlace, rejectedObject } from '../reader.ts';
import { sessionEdge } from './computerSessions.ts';
import { Members } from './members.ts';
import { Problems } from './problems.ts';

export const sessions: CollectionReader = {
  type: 'sessions',
  format: 'sharphound',
  begin: () => readSession,
};

function readSession(json: Json, place: ObjectPlace): ObjectFacts {
  if (!isObject(json)) return rejectedObject(place, 'it is not a JSON object');
  const problems = new Problems();
  const session = new Members(json, problems);
  const logontype = session.number('LogonType') ?? 0;
  // No flag HasAcl: these edges lack the property `isacl`, unlike sessions in computers.
  const found = sessionEdge(session, 0, '', { logontype });
  if (found === undefined) return rejectedObject(place, 'the session has no computer or no user');
  if ('start' in found) {
    const set = {
      ownerId: OWNERLESS,
      ownerKind: '',
      aspect: 'sessions',
      edges: [],
      replaces: false,
    } as const;
    return {
      ...{ index: place.index, nodes: [], edgeSets: [{ ...set, matchedEdges: [found] }] },
      issues: problems.issues(place, found.end as string),
    };
  }
  const { startId, startKind } = found;
  return {
    index: place.index,
    nodes: [],
    edgeSets: [
      { ownerId: startId, ownerKind: startKind, aspect: 'sessions', edges: [found], replaces: false },
    ],
    issues: problems.issues(place, startId),
  };
}
