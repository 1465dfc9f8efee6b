/** A change that ends sessions moves logons to other computers: it opens no findings that the accounts are unused. */
import { FINDING_TYPES } from '@clew/analysis';
import { EdgeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { handForest } from '../../test/handForest.ts';
import { CardSimulations } from '../search/cardSimulations.ts';
import type { FindingKey } from './findingKeys.ts';
import { shownChangesOf } from './movedLogons.ts';
import { changedWorld, exposuresOf, findingChangesOf } from './simulate.ts';

/** In 2001, before any collection. */
const LONG_AGO = 1_000_000_000;

it('names unused accounts only if they had no session before, although a new collection would find both', async () => {
  const world = await handForest();
  const { context } = world;
  const { graph, properties } = context;
  const { offsets, neighbors, kinds } = graph.in;
  const sessionsOf = (node: number) =>
    Array.from({ length: offsets[node + 1]! - offsets[node]! }, (_, at) => offsets[node]! + at)
      .filter((at) => kinds[at] === EdgeKind.HasSession)
      .map((at) => ({ start: neighbors[at]!, kind: EdgeKind.HasSession, end: node }));
  const people = [...context.nodesOf('User')].filter((node) => properties.flag('enabled', node) === true);
  const working = people.find((node) => sessionsOf(node).length > 0) as number;
  const away = people.find((node) => sessionsOf(node).length === 0) as number;
  const unusedSince = (node: number) =>
    ['lastlogon', 'lastlogontimestamp'].map((key) => ({ node, key, value: LONG_AGO }));
  const before = changedWorld(world, { properties: unusedSince(working) });
  const after = changedWorld(before, { removed: sessionsOf(working), properties: unusedSince(away) });
  const stale = (findings: readonly FindingKey[]) =>
    findings.filter(({ type }) => FINDING_TYPES[type]?.id === 'StaleUsers').map(({ target }) => target);
  expect(new Set(stale(findingChangesOf(before, after).opened))).toEqual(new Set([working, away]));
  const shown = shownChangesOf(before, after);
  expect(stale(shown.opened)).toEqual([away]);
  expect(shown.closed).toEqual(findingChangesOf(before, after).closed);
  // A card that keeps the account off its computers is measured in the same way.
  const { opened } = new CardSimulations(before, { before: exposuresOf(before), exposuresOf }).measure(
    {
      keys: ['keep-off'],
      repairs: [
        {
          ...{ id: 'keep-off', kind: 'keep-off', edgeKinds: ['HasSession'] },
          ...{ object: sessionsOf(working)[0]!.start, principal: working },
          change: { removed: sessionsOf(working), properties: [] },
        },
      ],
      exposedAfter: 0,
    },
    [],
  );
  expect(stale(opened)).toEqual([]);
});
