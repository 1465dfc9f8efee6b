/** Findings that the list groups under one change are closed by that change alone. */

import { FINDING_TYPES } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { objectIdOf } from '@clew/graph';
import { generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { changeOf } from '../repairs/repair.ts';
import { changedWorld, findingsOf } from '../simulation/simulate.ts';
import { commonRepairs } from './commonRepairs.ts';

/** Number of changes to simulate per organization, in descending number of findings. */
const TRIED = 6;

it.each([
  [2, 3],
  [3, 21],
] as const)(
  'in shape %i, seed %i',
  async (shape, seed) => {
    const options = { users: 60, seed, shape, domains: 2, collectedAt: COLLECTED_AT } as const;
    const world = analyzedWorld(await collectedWorld(sourcesOf(generateForest(options).files)));
    const before = findingsOf(world);
    const keys = new Map([...before].map(([key, finding]) => [finding, key]));
    const groups = commonRepairs(world).sort((one, other) => other.findings.length - one.findings.length);
    const all = groups.flatMap(({ findings }) => findings);
    expect(new Set(all).size).toBe(all.length);
    // Ways of certificate services fill many rows, but one change removes them.
    const derived = all.filter(({ type }) => FINDING_TYPES[type].id.includes('ADCSESC'));
    expect(derived.length).toBeGreaterThan(3);
    for (const { repair, findings } of groups.slice(0, TRIED)) {
      expect(findings.length).toBeGreaterThan(1);
      const after = findingsOf(changedWorld(world, changeOf([repair])));
      const left = findings.filter((finding) => after.has(keys.get(finding) as string));
      expect([repair.id, left.map(({ type }) => FINDING_TYPES[type].id)]).toEqual([repair.id, []]);
    }
  },
  60_000,
);

it('a relationship that a collection contains is one change, even if a rule also derives its kind', async () => {
  const files = [...generateForest({ users: 30, seed: 3, collectedAt: COLLECTED_AT }).files];
  const { context } = await collectedWorld(sourcesOf(files));
  const idsOf = (kind: 'Group' | 'Computer') =>
    [...context.nodesOf(kind)].map((node) => objectIdOf(context.graph, node));
  const everyone = idsOf('Group').find((id) => id.endsWith('-513')) as string;
  const [host] = idsOf('Computer') as [string];
  const edges = [{ kind: 'AdminTo', start: { value: everyone }, end: { value: host } }];
  const more = sourceFromBytes('more.json', Buffer.from(JSON.stringify({ graph: { nodes: [], edges } })));
  const world = analyzedWorld(await collectedWorld([...sourcesOf(files), more]));
  const nameOf = (node: number | undefined) =>
    node === undefined ? '' : objectIdOf(world.context.graph, node);
  const own = [...findingsOf(world).values()].filter(
    ({ source, target }) => nameOf(source) === everyone && nameOf(target) === host,
  );
  const groups = commonRepairs(world, own).map(({ repair, findings }) => [
    repair.id,
    ...findings.map(({ type }) => FINDING_TYPES[type].id),
  ]);
  expect(groups).toEqual([
    [`remove-relation ${everyone} AdminTo ${host}`, 'T0Admins', 'LargeDefaultGroupsAdmins'],
  ]);
});
