/**
 * Texts of work packages: every template with random facts, and packages of random directories. A text must name the objects of
 * its changes, and the named principals must hold the removed rights.
 */

import { attackSteps, largeDefaultGroups, RULES } from '@clew/analysis';
import { findEdge, NO_EDGE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeKind, edgeKindById } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RandomDirectory, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { GROUPED_KINDS } from '../packages/packageKinds.ts';
import { workPackages } from '../packages/workPackages.ts';
import { planGraph } from '../relaxation/planGraph.ts';
import { policyMembers } from '../repairs/policyMembers.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { repairText } from '../repairs/repairTexts.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { packageText, packageTitle, repairNames } from './packageTexts.ts';

type Text = ReturnType<typeof packageText>;

const TEMPLATE = {
  ...{ effectiveekus: ['1.3.6.1.5.5.7.3.2'], enrolleesuppliessubject: false, nosecurityextension: false },
  ...{ requiresmanagerapproval: false, subjectaltrequireupn: false, subjectaltrequiredns: false },
  schemaversion: 1,
} as const;
/** Policies of two units add the same member to one computer: the repair has the name of one unit, the text names both. */
const TWO_UNITS = {
  facts: [
    'T2 PublishedTo C',
    'B GetChanges D',
    'B GetChangesInFilteredSet D',
    'P GenericWrite u1',
    'AU en C',
  ],
  policies: ['OU2', 'OU1'].map((unit) => ({ unit, member: 'v2', relativeId: '580', hosts: ['c1'] })),
  templates: [TEMPLATE, TEMPLATE],
  ...{ sanFlag: true, web: true, ldap: true, ldaps: true, signing: [false, false, false, false] },
  ...{ binding: 2, mapping: 24, hasura: false, quota: false },
} as unknown as RandomDirectory;

/** Patterns that no sentence may contain: missing values, gaps, empty names. */
const ODD =
  /undefined|null|NaN|\[object| {2}|\( *\)|,,|\bof (,|\.|$)|\bfrom (,|\.|$)|\b(the|of|from|on) and\b/;

function expectSound({ title, fix, check, risk, changes }: Text): void {
  for (const sentence of [title, fix, check, risk, ...changes]) {
    expect(sentence).not.toMatch(ODD);
    expect(sentence.trim().length).toBeGreaterThan(5);
  }
  for (const sentence of [fix, check, risk]) expect(sentence).toMatch(/^\S.*\.$/s);
  expect(title).not.toMatch(/\.$/);
}

/** Ids that are not words, so that they can be recognized in sentences. */
const NAMED = /(?<![\w-])(?:[uvc]\d(?:-\d{3})?|OU1|OU2|GPO1|T2|adm|vadm)(?![\w-])/g;

const nameIn = ({ context: { graph } }: AnalyzedWorld, node: number): string =>
  nameOf(graph, node) || objectIdOf(graph, node);

/** Names of the changed objects, and of the objects that group the package. */
function namesOf(world: AnalyzedWorld, subjects: readonly number[], repairs: readonly Repair[]): Set<string> {
  const nodes = repairs.flatMap(({ object, principal, change }) => [
    ...[object, principal ?? object],
    ...change.removed.flatMap(({ start, end }) => [start, end]),
    ...change.properties.map(({ node }) => node),
    // All units whose policies add the member, not only the one in the name of the repair.
    ...change.removed.flatMap(
      ({ start, end }) => world.context.use(policyMembers).of(start, end)?.units ?? [],
    ),
  ]);
  const names = new Set([...subjects, ...nodes].map((node) => nameIn(world, node)));
  // A local group is named after its computer.
  for (const name of [...names]) names.add(name.replace(/-\d{3}$/, ''));
  return names;
}

function expectNamed(text: Text, names: ReadonlySet<string>): void {
  const said = Object.values(text).flat().join('\n');
  for (const [found] of said.matchAll(NAMED)) expect([...names]).toContain(found);
}

const picks = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(4)), { minLength: 1, maxLength: 6 });
const RIGHTS = ['GenericAll', 'WriteDacl', 'Enroll', 'OwnsRaw', 'AddMember'] as const;

describe('the text of a work package', () => {
  it('names the facts it is filled with, whatever the kind', () => {
    fc.assert(
      fc.property(randomDirectories, picks, fc.nat(), (spec, drawn, number) => {
        const world = randomWorld(spec);
        const { nodeCount } = world.context.graph;
        const repairs = drawn.map(([object, principal, right]): Repair => {
          const ends = { start: principal % nodeCount, end: object % nodeCount };
          const name = RIGHTS[right] as (typeof RIGHTS)[number];
          return {
            ...{ id: `${object}`, kind: 'remove-permission', object: ends.end, principal: ends.start },
            edgeKinds: [name],
            change: { removed: [{ ...ends, kind: EdgeKind[name] }], properties: [] },
          };
        });
        const subjects = [number % nodeCount, repairs[0]?.principal ?? 0];
        for (const kind of GROUPED_KINDS) {
          const text = packageText(world, { kind, subjects, repairs });
          expectSound(text);
          expectNamed(text, namesOf(world, subjects, repairs));
          expect(text.changes).toHaveLength(repairs.length);
          // Each of these changes can interrupt something.
          expect(`${text.fix} ${text.risk}`).toMatch(/\b(first|before|begin with|start with)\b/i);
          expect(text.risk).not.toContain('Everyone is a member');
          expectTakenApart(world, text.title, packageTitle(world, { kind, subjects, repairs }));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('says of readers of a managed password that their list is another one, also among other rights', () => {
    const world = randomWorld(TWO_UNITS);
    const entry = (name: 'ReadGMSAPassword' | 'GenericAll', end: number): Repair => ({
      ...{ id: name, kind: 'remove-permission', object: end, principal: 0, edgeKinds: [name] },
      change: { removed: [{ start: 0, kind: EdgeKind[name], end }], properties: [] },
    });
    const textOf = (repairs: readonly Repair[]) =>
      packageText(world, { kind: 'rights-of-default-group', subjects: [0], repairs });
    const { fix, risk } = textOf([entry('GenericAll', 1), entry('ReadGMSAPassword', 2)]);
    expect(fix).toContain('msDS-GroupMSAMembership');
    expect(risk).toContain('stop at the next restart');
    expect(textOf([entry('GenericAll', 1)]).fix).not.toContain('msDS-GroupMSAMembership');
  });

  it('says of roles of a CA that its own list has them, also among other rights', () => {
    const world = randomWorld(TWO_UNITS);
    const ca = [...world.context.nodesOf('EnterpriseCA')][0] as number;
    const entry = (name: 'ManageCA' | 'WriteDacl' | 'Enroll'): Repair => ({
      ...{ id: name, kind: 'remove-permission', object: ca, principal: 0, edgeKinds: [name] },
      change: { removed: [{ start: 0, kind: EdgeKind[name], end: ca }], properties: [] },
    });
    const fixOf = (...repairs: Repair[]) =>
      packageText(world, { kind: 'access-list', subjects: [ca], repairs }).fix;
    expect(fixOf(entry('WriteDacl'), entry('ManageCA'))).toContain('clear "Manage CA" of');
    expect(fixOf(entry('WriteDacl'))).not.toContain('Manage CA');
    const atConsole = fixOf(entry('Enroll'), entry('ManageCA'));
    expect(atConsole).toContain('on the Security tab, remove Enroll and ManageCA from');
    expect(atConsole.match(/Security tab/g)).toHaveLength(1);
    expect(atConsole).not.toContain('Remove the entries');
  });

  it('says where to look for the place of an entry that the collection does not name there', () => {
    const world = randomWorld(TWO_UNITS);
    const kind = EdgeKind.ForceChangePassword;
    const inherited = (start: number): Repair => ({
      ...{ id: 'entry', kind: 'remove-permission', object: 2, principal: start },
      ...{ edgeKinds: ['ForceChangePassword'] },
      change: { removed: [{ start, kind, end: 2 }], properties: [] },
    });
    const textOf = (repair: Repair, container: number) =>
      packageText(world, { kind: 'inherited-entry', subjects: [container, 0], repairs: [repair] });
    expect(textOf(inherited(0), 1).fix).toContain('First check "Inherited from"');
    expect(textOf(inherited(0), 2).fix).not.toContain('Inherited from');
  });

  it('says that a copy comes before a template of version 1 is changed or retired, alone and among others', () => {
    const directory = (version: number) =>
      randomWorld({
        ...TWO_UNITS,
        templates: [TEMPLATE, { ...TEMPLATE, schemaversion: version }],
      } as unknown as RandomDirectory);
    for (const [version, said] of [
      [1, true],
      [2, false],
    ] as const) {
      const world = directory(version);
      const { graph } = world.context;
      const nodeOf = (name: string) =>
        Array.from({ length: graph.nodeCount }, (_, node) => node).find(
          (node) => nameIn(world, node) === name,
        ) as number;
      const [start, end] = [nodeOf('T2'), nodeOf('C')];
      const repair: Repair = {
        ...{ id: 'R', kind: 'unpublish-template', object: end, principal: start, edgeKinds: ['PublishedTo'] },
        change: { removed: [{ start, kind: EdgeKind.PublishedTo, end }], properties: [] },
      };
      for (const kind of ['unpublish-template', 'ca-template-unpublishing'] as const) {
        const { fix } = packageText(world, { kind, subjects: [end], repairs: [repair] });
        expect([kind, version, /^First duplicate T2 .* Then, in the console of C/.test(fix)]).toEqual([
          kind,
          version,
          said,
        ]);
      }
      for (const kind of ['template-subject', 'template-approval', 'ca-template-approval'] as const) {
        const setting: Repair = {
          ...{ id: 'S', kind: kind === 'ca-template-approval' ? 'template-approval' : kind, object: start },
          ...{ edgeKinds: [], change: { removed: [], properties: [] } },
        };
        const { fix } = packageText(world, { kind, subjects: [end], repairs: [setting] });
        expect([kind, version, /console cannot edit T2.*First duplicate T2 /.test(fix)]).toEqual([
          kind,
          version,
          said,
        ]);
      }
    }
  });

  it('makes only true statements about each package of a directory', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(randomDirectories, (spec) => {
        const world = randomWorld(spec);
        const { context, zones } = world;
        const { members } = zones[0];
        const { repairs } = finish(
          planGraph({
            ...{
              context,
              scope: 'all',
              steps: attackSteps(context.graph),
              rules: RULES,
              zone: members,
              above: members,
            },
            catalog: new RepairCatalog(context, ruleKinds(), members),
            broad: largeDefaultGroups(context).all,
          }),
        );
        for (const { kind, subjects, repairs: places } of finish(
          workPackages({
            ...{ context, repairs, prices: { costs: DEFAULT_COSTS } },
          }),
        )) {
          seen.add(kind);
          const own = places.map((place) => repairs[place] as Repair);
          const text = packageText(world, { kind, subjects, repairs: own });
          expectSound(text);
          expectNamed(text, namesOf(world, subjects, own));
          expectTakenApart(world, text.title, packageTitle(world, { kind, subjects, repairs: own }));
          for (const repair of own) expectHeld(world, repair);
        }
      }),
      { numRuns: 20, examples: [[TWO_UNITS]] },
    );
    expect(seen.size).toBeGreaterThan(12);
  });
});

/** Expects that the parts form the title, and that all its names are nodes. */
function expectTakenApart(
  { context: { graph } }: AnalyzedWorld,
  title: string,
  parts: ReturnType<typeof packageTitle>,
): void {
  const words = parts?.filter((part) => typeof part === 'string').join('') ?? '';
  expect(words.match(NAMED) ?? []).toEqual([]);
  let at = 0;
  for (const part of parts ?? []) {
    const text = typeof part === 'string' ? part : nameOf(graph, part.node) || objectIdOf(graph, part.node);
    // A local group without a name is named after its computer.
    const found = title.indexOf(text, at);
    if (typeof part === 'string') expect([title, found >= at]).toEqual([title, true]);
    if (found >= at) at = found + text.length;
  }
  expect(parts?.some((part) => typeof part !== 'string')).toBe(true);
}

/** Expects that a named principal holds each named right, and that all removed relations exist. */
function expectHeld(world: AnalyzedWorld, repair: Repair): void {
  const { graph } = world.context;
  const { object, principal, change } = repair;
  for (const { start, kind, end } of change.removed) {
    expect(findEdge(graph, start, kind, end)).not.toBe(NO_EDGE);
    if (repair.kind === 'remove-policy-member') {
      // The change is made at the unit; the members are removed from local groups.
      expect(start).toBe(principal);
      expect(edgeKindById(kind)?.name).toBe('MemberOfLocalGroup');
    } else if (principal !== undefined)
      expect([
        [principal, object],
        [object, principal],
      ]).toContainEqual([start, end]);
  }
  const names = repairNames(world, repair);
  const { title } = repairText(repair.kind, names);
  for (const relation of names.relations)
    expect(change.removed.map(({ kind }) => kind)).toSatisfy((kinds: number[]) =>
      [relation, `${relation}Raw`].some((name) => kinds.includes(EdgeKind[name as keyof typeof EdgeKind])),
    );
  if (repair.kind === 'remove-permission' || repair.kind === 'remove-enrollment') {
    expect(names.relations.length).toBeGreaterThan(0);
    for (const part of [names.object, names.principal, ...names.relations]) expect(title).toContain(part);
  }
}
