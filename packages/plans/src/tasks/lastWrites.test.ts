/** Last writes of the attributes behind changed facts: only those that the previous analysis has not read. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { analyzedWorld } from '@clew/planning/testing';
import { expect, it } from 'vitest';
import { lastWriteOfProperty, lastWriteOfRelation, readWrites } from './lastWrites.ts';

const [GROUP, USER] = ['S-1-5-21-1-2-3-512', 'S-1-5-21-1-2-3-1101'];
const ENTRY = { start: USER, kind: 'GenericAll', end: GROUP, flags: 0 };
const CHANGE = {
  title: 'Change',
  removed: [ENTRY],
  properties: [{ object_id: USER, key: 'enabled', old: true, wanted: false }],
};
const FACTS = [{ change: CHANGE, waiting: [] }];

/** The previous analysis was published at 22:00; the collection before it ran a day earlier. */
const BEFORE = '2026-11-29T22:00:00Z';
const WRITTEN = '2026-11-30T15:00:00Z';
const SINCE = '2026-11-30T22:00:00.000000Z';

function worldWith(time: string | undefined) {
  const textsOf = (attribute: string): string[] =>
    time === undefined ? [] : [`${attribute}: ${time} on DC1 (version 3)`];
  const test = graphOf({
    nodes: [
      {
        id: GROUP,
        kinds: [NodeKind.Base, NodeKind.Group],
        props: { lastwrites: textsOf('nTSecurityDescriptor') },
      },
      {
        id: USER,
        kinds: [NodeKind.Base, NodeKind.User],
        props: { lastwrites: textsOf('userAccountControl') },
      },
    ],
    edges: [],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  return analyzedWorld({ context, graph: test.graph, collected: test.graph, nodeOf: test.node });
}

const written = (earlier: Parameters<typeof lastWriteOfRelation>[2]) => {
  const world = worldWith(WRITTEN);
  return [
    lastWriteOfRelation(world, ENTRY, earlier)?.at ?? null,
    lastWriteOfProperty(world, { object_id: USER, key: 'enabled' }, earlier)?.at ?? null,
  ];
};
const AT = WRITTEN.replace('Z', '.000000Z');

it('is shown if it is newer than the one read before, also if analyses of other data were made since', () => {
  const writes = readWrites(worldWith(BEFORE), FACTS);
  expect(Object.keys(writes)).toHaveLength(2);
  expect(written({ writes, since: SINCE })).toEqual([AT, AT]);
  // It was there while the fact still existed.
  expect(written({ writes: readWrites(worldWith(WRITTEN), FACTS), since: BEFORE })).toEqual([null, null]);
});

it('is bounded by the previous analysis if that one read no write', () => {
  expect(written({ writes: {}, since: SINCE })).toEqual([null, null]);
  expect(written({ writes: {}, since: BEFORE })).toEqual([AT, AT]);
  expect(written({ writes: {}, since: undefined })).toEqual([null, null]);
});

it('stays unread while a missing fact waits for its collection, and if a collection has no writes', () => {
  const before = readWrites(worldWith(BEFORE), FACTS);
  const waiting = readWrites(worldWith(WRITTEN), [{ change: CHANGE, waiting: [0] }], before);
  expect(written({ writes: waiting, since: SINCE })).toEqual([AT, null]);
  expect(readWrites(worldWith(undefined), FACTS, before)).toEqual(before);
});
