import { AnalysisContext, type FindingZone, membership } from '@clew/analysis';
import { NodeSet } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectedEdges, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changedWorld, endWorld, exposuresOf, worldOf } from './simulate.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

it('exposures after changes are those of a walk over the changed graph, whatever members the zones have then', () => {
  const seen = { less: 0, more: 0, zones: 0 };
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(4)), { minLength: 2, maxLength: 5 }),
      (directory, picks) => {
        const { context, zones, options } = randomWorld(directory);
        const [{ members }] = zones;
        const none = NodeSet.empty(members.capacity);
        // Two zones, one with all members of its groups, so that membership changes affect it.
        const zonesOf = (of: AnalysisContext): FindingZone[] => {
          const second = NodeSet.of(members.capacity, of.nodesOf('Group').toArray().slice(0, 3));
          const inner = of.use(membership).expand(members);
          return [
            { ...zones[0], members: inner },
            { id: 2, position: 2, analyzed: true, members: second.andNot(inner), pending: none },
          ];
        };
        const first = worldOf(context, { ...options, zonesOf });
        const exposed = (exposures: ReturnType<typeof exposuresOf>): number =>
          exposures.reduce((sum, one) => sum + one.exposed, 0);
        const before = exposuresOf(first);
        let world = first;
        for (const [one, other, choice] of picks) {
          const there = collectedEdges(world.context).filter(
            ({ kind }) => choice > 0 || kind === EdgeKind.MemberOf,
          );
          const nodes = world.context.nodesOf('Base').toArray();
          const privileged = members.and(world.context.nodesOf('Group')).toArray();
          const start = nodes[one % nodes.length];
          const edge =
            other % 2 === 0
              ? { start, kind: EdgeKind.MemberOf, end: privileged[0] }
              : { start, kind: EdgeKind.GenericAll, end: nodes[other % nodes.length] };
          const change = {
            removed: there.length === 0 || choice === 4 ? [] : [there[one % there.length]],
            added: choice > 2 && edge.start !== edge.end ? [edge] : [],
          };
          // Some changes apply to the first world, some to the previous one.
          const from = choice === 1 ? first : world;
          const after = changedWorld(from, change);
          const { graph, properties, edgeProperties, options: own } = after.context;
          const fresh = new AnalysisContext({ graph, properties, edgeProperties, options: own });
          const exposures = exposuresOf(after);
          expect(exposures).toEqual(exposuresOf(worldOf(fresh, after.options)));
          const changed = exposed(exposures) - exposed(exposuresOf(from));
          if (changed < 0) seen.less++;
          if (changed > 0) seen.more++;
          if (!after.zones[0].members.equals(first.zones[0].members)) seen.zones++;
          if (choice === 1) endWorld(after, [first, world]);
          else world = after;
        }
        expect(exposuresOf(first)).toEqual(before);
      },
    ),
    { numRuns: 35 * RUNS },
  );
  expect(seen.more).toBeGreaterThan(0);
  expect(Math.min(seen.less, seen.zones)).toBeGreaterThan(10);
}, 60_000);
