/** Members from policies: one repair for all computers, and no repair that leaves a member that another policy adds. */
import { EdgeProperties, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { repairsBehind } from '../explain/repairsBehind.ts';
import { changedWorld } from '../simulation/simulate.ts';
import { addPolicyUnit, POLICY_UNITS, policyMembers } from './policyMembers.ts';
import { RepairCatalog, ruleKinds } from './repairs.ts';

const KIND = EdgeKind.MemberOfLocalGroup;

describe('members from policies', () => {
  it('go together exactly where units share a computer', () => {
    let together = 0;
    fc.assert(
      fc.property(randomDirectories, (spec) => {
        const { context } = randomWorld(spec);
        const { graph, edgeProperties } = context;
        const causes = context.use(policyMembers);
        // Slow twin: propagates over memberships that share a unit until nothing changes.
        const told: { member: number; group: number; id: string; units: string[] }[] = [];
        edgeProperties.forEach((member, kind, group, { [POLICY_UNITS]: units }) => {
          if (kind === KIND && Array.isArray(units))
            told.push({ member, group, id: objectIdOf(graph, group), units: units as string[] });
        });
        const endOf = (id: string): string => id.slice(id.lastIndexOf('-'));
        for (const one of told) {
          const groups = new Set([one.group]);
          const units = new Set(one.units);
          for (let before = 0; before !== groups.size; ) {
            before = groups.size;
            for (const other of told) {
              if (other.member !== one.member || endOf(other.id) !== endOf(one.id)) continue;
              if (!other.units.some((unit) => units.has(unit))) continue;
              groups.add(other.group);
              for (const unit of other.units) units.add(unit);
            }
          }
          const cause = causes.of(one.member, one.group);
          expect(new Set(cause?.edges.map(({ end }) => end))).toEqual(groups);
          expect(new Set(cause?.units.map((unit) => objectIdOf(graph, unit)))).toEqual(units);
          expect(cause?.member).toBe(one.member);
          if (units.size > 1) together++;
        }
      }),
      { numRuns: 100, seed: 5 },
    );
    expect(together).toBeGreaterThan(0);
  });

  it('are named by the evidence of findings that depend on them, and are removed from all computers at once', () => {
    let named = 0;
    fc.assert(
      fc.property(randomDirectories, (spec) => {
        const world = randomWorld(spec);
        const { context } = world;
        const causes = context.use(policyMembers);
        const catalog = new RepairCatalog(context, ruleKinds());
        const seen = new Set<number>();
        for (const kind of ['AdminTo', 'CanPSRemote'] as const)
          context.edges(kind).forEach((start, _, end) => {
            for (const place of repairsBehind(context, catalog, { start, kind: EdgeKind[kind], end })) {
              const repair = catalog.repairs[place];
              if (repair?.kind === 'remove-local-member')
                expect(causes.of(repair.principal as number, repair.object)).toBeUndefined();
              if (repair?.kind !== 'remove-policy-member' || seen.has(place)) continue;
              seen.add(place);
              named++;
              expect(repair.edgeKinds).toEqual(['MemberOfLocalGroup', kind]);
              const { context: after } = changedWorld(world, repair.change);
              for (const { start: member, end: group } of repair.change.removed) {
                expect(after.edges('MemberOfLocalGroup').startsOf(group).has(member)).toBe(false);
                // In a world without the memberships, there is nothing to remove.
                expect(after.use(policyMembers).of(member, group)).toBeUndefined();
              }
              // Its reference resolves to the same repair.
              expect(
                catalog.find({
                  kind: repair.kind,
                  ...{ object: repair.object, principal: repair.principal as number },
                  relations: repair.edgeKinds,
                }),
              ).toBe(repair);
            }
          });
      }),
      { numRuns: 60, seed: 5 },
    );
    expect(named).toBeGreaterThan(5);
  });

  it('are noted once for each unit, in addition to other properties of the membership', () => {
    const properties = new EdgeProperties();
    properties.set(1, KIND, 2, { other: true });
    for (const unit of ['A', 'B', 'A']) addPolicyUnit(properties, 1, 2, unit);
    expect(properties.get(1, KIND, 2)).toEqual({ other: true, [POLICY_UNITS]: ['A', 'B'] });
  });
});
