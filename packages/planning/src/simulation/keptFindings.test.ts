import { type AnalysisContext, type FindingZone, membership } from '@clew/analysis';
import type { Pki } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectedEdges, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { type FindingChanges, type FindingKey, findingKeyText } from './findingKeys.ts';
import { compareFindings } from './keptFindings.ts';
import { type AnalyzedWorld, changedWorld, findingChangesOf, findingsOf, worldOf } from './simulate.ts';

const texts = (findings: readonly FindingKey[]): string[] => findings.map(findingKeyText).sort();

const shown = ({ closed, opened }: FindingChanges) => ({ closed: texts(closed), opened: texts(opened) });

/** The zone of the world, with all members of its groups, so that membership changes move its boundary. */
function withMembers({ context, zones, options }: AnalyzedWorld): AnalyzedWorld {
  const zonesOf = (of: AnalysisContext): FindingZone[] =>
    zones.map((zone) => {
      const all = of.use(membership).expand(zone.members);
      const pending = NodeSet.of(
        of.graph.nodeCount,
        all.andNot(zone.members).filter((node) => node % 3 === 0),
      );
      return { ...zone, members: all.andNot(pending), pending };
    });
  return worldOf(context, { ...options, zonesOf });
}

/** The Windows groups that findings read, with members at several depths, and accounts with affected findings. */
function withBuiltInGroups(pki: Pki): void {
  const sid = 'S-1-5-21-1';
  for (const end of ['512', '516', '519', '521', '525'])
    pki.add(`${sid}-${end}`, 'Group', { domainsid: sid, name: `BUILT IN ${end}@D` });
  pki.add('DNS', 'Group', { domainsid: sid, name: 'DNSADMINS@D' });
  for (const name of ['u1', 'u2', 'u3', 'v1']) pki.set(name, { admincount: true });
  for (const name of ['c1', 'c2', 'c3', 'H'])
    pki.set(name, { haslaps: false, operatingsystem: 'WINDOWS SERVER' });
  pki.facts(`u1 in ${sid}-512`, `A in ${sid}-512`, `u2 in A`, `B in ${sid}-519`, 'u3 in B', 'v1 in B');
  pki.facts(
    `c1 in ${sid}-516`,
    `P in ${sid}-516`,
    'c2 in P',
    `c3 in ${sid}-521`,
    `adm in ${sid}-525`,
    'u4 in DNS',
  );
}

it('findings after a change are those that are found from the start, where it moves members of a zone as well', () => {
  let moved = 0;
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (directory, picks, isExtended) => {
        const first = withMembers(randomWorld(directory, isExtended ? withBuiltInGroups : undefined));
        let world = first;
        findingsOf(world);
        for (const [one, other, isMembership] of picks) {
          const { context } = world;
          const there = collectedEdges(context).filter(
            ({ kind }) => !isMembership || kind === EdgeKind.MemberOf,
          );
          const groups = context.nodesOf('Group').toArray();
          const added = {
            start: other % context.graph.nodeCount,
            kind: EdgeKind.MemberOf,
            end: groups[one % groups.length],
          };
          const removed = there.length === 0 ? [] : [there[one % there.length]];
          const change = { removed, added: other % 2 === 0 ? [] : [added] };
          const after = changedWorld(world, change);
          const fresh = worldOf(after.context, after.options);
          expect(shown(findingChangesOf(world, after))).toEqual(
            shown(compareFindings(findingsOf(world), findingsOf(fresh))),
          );
          expect(texts([...findingsOf(after).values()])).toEqual(texts([...findingsOf(fresh).values()]));
          expect(shown(findingChangesOf(first, after))).toEqual(
            shown(compareFindings(findingsOf(first), findingsOf(fresh))),
          );
          if (!world.zones[0].members.equals(after.zones[0].members)) moved++;
          world = after;
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(moved).toBeGreaterThan(10);
}, 60_000);
