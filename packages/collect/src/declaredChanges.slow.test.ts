/**
 * Makes the declared changes of a kit in a real directory, for each kind and, at night, each right that an LDAP engine changes: two
 * collections differ by exactly the declared relationships and values, and by nothing after the changes were undone.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CollectionSource, sourceFromBytes } from '@clew/collections';
import { sampledCases } from '@clew/common/testing';
import { findEdge, NO_EDGE, objectIdOf } from '@clew/graph';
import { changeKit } from '@clew/kits';
import { ENGINES, KINDS, RIGHTS, sampleFacts } from '@clew/kits/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName } from '@clew/model';
import {
  type AnalyzedWorld,
  kitFacts,
  type Repair,
  RepairCatalog,
  type RepairKind,
  ruleKinds,
  tierZeroOf,
} from '@clew/planning';
import { analyzedWorld, collectedWorld } from '@clew/planning/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyChanges, type DeclaredChange, type Saved, undoChanges } from '../test/appliedChanges.ts';
import {
  difference,
  propertyText,
  relationText,
  type Statements,
  statementsIn,
} from '../test/collectionDifference.ts';
import { type Lab, missingForLab, type Planted, startLab } from '../test/lab.ts';
import { collectDomain } from './runner/collectDomain.ts';

const LDAP_ENGINES = ['AccessList', 'Attribute', 'Member', 'Move'];
const TEXTS = { title: '', change: '', check: '', risk: '', affected: null };

/** The changes in the file of the kit. */
const declaredIn = (kit: ReturnType<typeof changeKit>): DeclaredChange[] =>
  JSON.parse(kit.files.find(({ name }) => name === 'changes.json')?.text ?? '');

const ldapKinds = (): RepairKind[] =>
  KINDS.filter((kind) => {
    const facts = sampleFacts(kind, { object: 'A', principal: 'B.CORP.EXAMPLE' });
    return LDAP_ENGINES.includes(declaredIn(changeKit([{ ...TEXTS, facts }]))[0]?.engine ?? '');
  });

/** Rights without a planted entry, with the reason. */
const NOT_PLANTED = new Map([
  ['AutoEnroll', 'the collector does not report it: requests of certificates need Enroll'],
  ['WriteOwnerRaw', 'the collected name of WriteOwner'],
]);
const RIGHT_NAMES = Object.keys(RIGHTS).filter((name) => !NOT_PLANTED.has(name)) as EdgeKindName[];
/** Planted entries per right; one run examines one of them. */
const OF_RIGHT = 2;
/** Entries of containers; each needs a collection of its own, and one run examines one of them. */
const INHERITED = 4;

/** Properties that show the changed attribute in another form. */
const SAME_ATTRIBUTE: Readonly<Partial<Record<RepairKind, readonly string[]>>> = {
  // A template that took no name from the directory takes one after the change.
  'template-subject': ['certificatenameflag', 'subjectaltrequiredns'],
  'template-approval': ['enrollmentflag'],
  'template-security-extension': ['enrollmentflag'],
  'remove-delegation': ['allowedtodelegate', 'useraccountcontrol'],
  'clear-sid-history': ['sidhistory'],
  'move-object': ['distinguishedname'],
  'change-owner': ['ownersid'],
};

interface Case {
  readonly name: string;
  /** Repairs that one change in the directory makes together. */
  readonly repairs: readonly Repair[];
  /** Object id of the container to which an administrator moves the object. */
  readonly target?: string;
  /** Whether the entry is at a container, so that objects below change as well. */
  readonly isInherited?: boolean;
}

interface PlannedCase extends Case {
  readonly changes: readonly DeclaredChange[];
}

const missing = missingForLab();

describe.skipIf(missing !== undefined)(
  `declared changes in a Samba directory${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let lab: Lab;
    let root: string;
    let before: Statements;
    let world: AnalyzedWorld;
    let catalog: RepairCatalog;
    let nodes: ReadonlyMap<string, number>;
    let collections = 0;

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'clew-declared-'));
      lab = await startLab();
      const sources = await collect();
      before = await statementsIn(sources);
      world = analyzedWorld(await collectedWorld(sources));
      catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
      const { graph } = world.context;
      nodes = new Map(
        Array.from({ length: graph.nodeCount }, (_, node) => [objectIdOf(graph, node), node] as const),
      );
    }, 600_000);
    afterAll(async () => {
      rmSync(root, { recursive: true, force: true });
      await lab?.[Symbol.asyncDispose]();
    });

    async function collect(): Promise<CollectionSource[]> {
      const { host, address, domain, password, sysvol } = lab;
      const account = { user: 'clew-reader', realm: domain.toUpperCase(), secret: { password } };
      const directory = join(root, String(collections++));
      await collectDomain({
        controllers: [{ host, address }],
        encryption: 'sealed',
        credentials: { kind: 'kerberos', account },
        ...{ directory, sysvol, collector: 'clew test' },
      });
      return readdirSync(directory).map((file) => {
        const text = readFileSync(join(directory, file), 'utf8');
        // Sign-ins of the collector change the times of its account.
        return sourceFromBytes(
          file,
          Buffer.from(text.replace(/"(lastlogon(?:timestamp)?)":-?\d+/g, '"$1":0')),
        );
      });
    }

    const differenceNow = async (): Promise<readonly string[]> =>
      difference(before, await statementsIn(await collect()));

    function nodeOf(id: string): number {
      const node = nodes.get(id);
      if (node === undefined) throw new Error(`${id} was not collected`);
      return node;
    }

    const planted = (fits: (one: Planted) => boolean): Planted[] =>
      lab.planted.filter((one) => one.expect && one.kind !== undefined && fits(one));

    const named = ({ names }: Planted, source: string, target: string): boolean =>
      (names[0]?.includes(source) ?? false) && (names[1]?.startsWith(target) ?? false);

    const flagsOf = (start: number, kind: number, end: number): number | undefined => {
      const number = findEdge(world.context.graph, start, kind, end);
      return number === NO_EDGE ? undefined : world.context.graph.out.flags[number];
    };

    /** The repair of a relationship; of an entry, with all rights that it grants on the object. */
    function repairOf(source: string, name: string, target: string): Repair {
      const [start, kind, end] = [nodeOf(source), EdgeKind[name as EdgeKindName], nodeOf(target)];
      const place = catalog.ofEdge({ start, kind, end }, flagsOf(start, kind, end) ?? 0);
      const repair = place === undefined ? undefined : catalog.repairs[place];
      if (repair === undefined) throw new Error(`${source} ${name} ${target} has no repair`);
      if (!(name in RIGHTS)) return repair;
      const relations = RIGHT_NAMES.filter((right) => flagsOf(start, EdgeKind[right], end) !== undefined);
      const all = { kind: repair.kind, object: repair.object, principal: start, relations };
      return catalog.find(all) ?? repair;
    }

    const caseOf = ({
      names: [source, target],
      source: from,
      kind = '',
      target: to = '',
    }: Planted): Case => ({
      name: `${kind}: ${source} at ${target}`,
      repairs: [repairOf(from, kind, to)],
    });

    function rightCases(): Case[] {
      const groups = ['rights', 'pki', 'policies', 'laps'];
      return RIGHT_NAMES.flatMap((name) => {
        const found = planted(({ kind, group }) => kind === name && groups.includes(group));
        // The access list of an authority is in the registry of its host.
        const ofDirectory = found.filter(({ names: [, target] }) => !target?.includes('Enrollment Services'));
        // Two places, where the right has two: the domain alone has several.
        const elsewhere = ofDirectory.filter(({ names: [, target] }) => !target?.startsWith('DC='));
        const chosen = [...elsewhere, ...ofDirectory].slice(0, OF_RIGHT);
        if (chosen.length === 0) throw new Error(`no entry is planted for ${name}`);
        return sampledCases([...new Set(chosen)], OF_RIGHT).map(caseOf);
      });
    }

    /** All relationships of the principal that come from one entry of a container. */
    function inheritedCase(note: string, source: string, name: EdgeKindName, target: string): Case {
      const start = nodeOf(source);
      const ends = [...nodes].filter(([, end]) => flagsOf(start, EdgeKind[name], end) !== undefined);
      const first = ends.findIndex(([id]) => id === target);
      const flags = flagsOf(start, EdgeKind[name], nodeOf(target)) ?? 0;
      expect(flags & EdgeFlag.Inherited, note).not.toBe(0);
      const sorted = [...ends.splice(first, 1), ...ends];
      expect(sorted.length, note).toBeGreaterThan(1);
      return {
        name: `inherited ${name}: ${note}`,
        isInherited: true,
        repairs: sorted.map(([id]) => repairOf(source, name, id)),
      };
    }

    function otherCases(): Case[] {
      const [first, second] = planted(({ kind, group }) => kind === 'Owns' && group === 'rights');
      const chosen = [
        first,
        second,
        ...planted(({ note }) => note.startsWith('property set Membership')),
        ...planted((one) => one.kind === 'ReadGMSAPassword' && named(one, 'GMSAREADERS', 'CN=gmsa1')),
        ...planted((one) => one.group === 'membership' && named(one, 'u01', 'CN=GE')),
        ...planted((one) => one.note === 'foreign security principal'),
        ...planted((one) => one.note === 'member 1500 of 1,600'),
        ...planted((one) => one.group === 'names' && named(one, 'lead and trail', 'CN=GA')),
        ...planted(({ group, kind }) => group === 'delegation' && kind === 'AllowedToDelegate').slice(0, 1),
        ...planted(({ group, kind }) => group === 'delegation' && kind === 'AllowedToAct').slice(0, 1),
        ...planted(({ group, kind }) => group === 'delegation' && kind === 'CoerceToTGT'),
        ...planted(
          ({ group, kind, names: [, at] }) => group === 'policies' && kind === 'GPLink' && at !== 'site',
        ).slice(0, 2),
        ...planted((one) => one.kind === 'PublishedTo' && named(one, 'LabESC1,', 'CN=Lab Issuing CA')),
      ].filter((one) => one !== undefined);
      expect(chosen).toHaveLength(15);
      return chosen.map(caseOf);
    }

    /** A repair of one of the rights that an entry grants: the others stay. */
    function partialCase(): Case {
      const [one] = planted(({ note }) => note === 'one entry with several rights');
      const [start, end] = [nodeOf(one!.source), nodeOf(one!.target!)];
      const kind = EdgeKind.GenericWrite;
      const place = catalog.ofEdge({ start, kind, end }, flagsOf(start, kind, end) ?? 0);
      const repair = catalog.repairs[place!]!;
      expect(repair.edgeKinds).toEqual(['GenericWrite']);
      return { name: 'one right of an entry with several', repairs: [repair] };
    }

    function moveCase(): Case {
      const [moved] = planted(
        ({ group, names: [, child] }) => group === 'contains' && child?.includes('Zoë') === true,
      );
      const [weird] = planted(
        ({ kind, group, names: [parent] }) =>
          kind === 'Contains' && group === 'names' && parent?.startsWith('OU=Q') === true,
      );
      return { ...caseOf(moved!), target: weird!.source };
    }

    function settingCase(setting: RepairKind, node: string): Case {
      const place = catalog.ofNeed({ setting: setting as 'template-subject', node: nodeOf(node) });
      if (place === undefined) throw new Error(`${node} needs no ${setting}`);
      return { name: setting, repairs: [catalog.repairs[place]!] };
    }

    function settingCases(): Case[] {
      const template = (name: string): string =>
        planted((one) => one.kind === 'PublishedTo' && named(one, `CN=${name},`, ''))[0]!.source;
      const domain = lab.planted.find(({ property }) => property === 'machineaccountquota')!.source;
      return [
        settingCase('template-subject', template('LabESC1')),
        settingCase('template-approval', template('LabESC3')),
        settingCase('template-security-extension', template('LabESC9')),
        settingCase('domain-computer-quota', domain),
      ];
    }

    function inheritedCases(): Case[] {
      const inherited = planted(({ group }) => group === 'inheritance');
      const of = (fits: (one: Planted) => boolean): Case => {
        const { names, source, kind, target } = inherited.find(fits)!;
        return inheritedCase(`${names[0]} at ${names[1]}`, source, kind as EdgeKindName, target!);
      };
      return [
        of(({ props, names: [, at] }) => props?.isinherited === true && at?.startsWith('CN=SRV1') === true),
        of(({ note }) => note === 'no-propagate, one level'),
        of(({ note, kind }) => note === 'only computers' && kind === 'GenericWrite'),
        of(({ note }) => note === 'helpdesk delegation'),
      ];
    }

    /** The kit of all cases, split by case. */
    function planned(cases: readonly Case[]): PlannedCase[] {
      const asked = { context: world.context, tierZero: tierZeroOf(world.zones) };
      const kit = changeKit(
        cases.flatMap(({ repairs }) =>
          repairs.map((repair) => ({ ...TEXTS, facts: kitFacts(asked, repair) })),
        ),
      );
      const all = declaredIn(kit);
      return cases.map((one) => ({
        ...one,
        changes: all.splice(0, one.repairs.length).map((change) => ({
          ...change,
          ...(one.target !== undefined && { target: one.target }),
        })),
      }));
    }

    /** The change that an administrator makes: it has the effect of the others of its case. */
    const made = ({ changes }: PlannedCase): DeclaredChange => changes[0]!;

    /** Objects whose attributes are written. */
    function written({ settings = {} }: DeclaredChange): string[] {
      const places = (settings.Places ?? []) as readonly { readonly Base: string }[];
      const object = (settings.Object ?? settings.Group) as string;
      return settings.Operation === 'RemoveEntries' ? places.map(({ Base }) => Base) : [object];
    }

    /** Cases whose changes concern different objects, so that one collection shows all of them. */
    function rounds(cases: readonly PlannedCase[]): PlannedCase[][] {
      const found: { cases: PlannedCase[]; objects: Set<string> }[] = [];
      for (const one of cases) {
        const objects = written(made(one));
        const free = one.isInherited
          ? undefined
          : found.find((round) => objects.every((object) => !round.objects.has(object)));
        const round = free ?? { cases: [], objects: new Set() };
        if (free === undefined && !one.isInherited) found.push(round);
        if (one.isInherited) found.unshift({ cases: [one], objects: new Set(objects) });
        else round.cases.push(one);
        // A container is written alone.
        for (const object of objects) round.objects.add(object);
      }
      return found.map((round) => round.cases);
    }

    /** The statements of a collection that must change, and properties that may change with them. */
    function expected({ changes, target, isInherited }: PlannedCase) {
      const lines: string[] = [];
      const also: string[] = [];
      for (const { kind, removed, values, settings = {} } of changes) {
        for (const { source, relation, target: end } of removed) {
          lines.push(`- ${relationText(source.object_id, relation, end.object_id)}`);
          if (settings.Operation === 'SetOwner')
            lines.push(`+ ${relationText(settings.NewOwner as string, relation, end.object_id)}`);
          if (target !== undefined) lines.push(`+ ${relationText(target, relation, end.object_id)}`);
        }
        for (const { object, property, now, wanted } of values)
          lines.push(
            `- ${propertyText(object.object_id, property, now)}`,
            `+ ${propertyText(object.object_id, property, wanted)}`,
          );
        const objects = [
          ...removed.flatMap((one) => [one.source, one.target]),
          ...values.map(({ object }) => object),
        ];
        for (const property of SAME_ATTRIBUTE[kind as RepairKind] ?? [])
          for (const { object_id } of objects) also.push(` ${object_id} ${property}=`);
      }
      // The digests of the entries that a container passes on.
      if (isInherited) also.push(' inheritancehashes=');
      return { lines, also };
    }

    const kindsOf = (cases: readonly Case[]): Set<RepairKind> =>
      new Set(cases.flatMap(({ repairs }) => repairs.map(({ kind }) => kind)));

    /** A third of the cases, and those of kinds that are not among them. */
    function sampledPerKind(cases: readonly PlannedCase[]): PlannedCase[] {
      const few = sampledCases(cases, 3);
      const kinds = kindsOf(few);
      return cases.filter((one) => {
        const isChosen = few.includes(one) || one.repairs.some(({ kind }) => !kinds.has(kind));
        if (isChosen) for (const { kind } of one.repairs) kinds.add(kind);
        return isChosen;
      });
    }

    /** Makes the changes, and compares two collections. @returns the facts that `undoChanges` restores */
    async function prove(cases: readonly PlannedCase[]): Promise<Saved> {
      const saved = await applyChanges(lab, cases.map(made));
      const all = cases.map(expected);
      const also = all.flatMap((one) => one.also);
      const lines = new Set(all.flatMap((one) => one.lines));
      const found = (await differenceNow()).filter(
        (line) => lines.has(line) || !also.some((text) => line.includes(text)),
      );
      expect(found).toEqual([...lines].sort());
      return saved;
    }

    it('are the exact difference of two collections, and their undoing leaves none', async () => {
      const all = planned([
        ...rightCases(),
        ...otherCases(),
        ...[partialCase(), moveCase()],
        ...settingCases(),
        ...sampledCases(inheritedCases(), INHERITED),
      ]);
      const last = planned(
        planted(({ group, names: [, of] }) => group === 'sid history' && of !== undefined)
          .slice(0, 1)
          .map(caseOf),
      );
      const cases = sampledPerKind(all);
      for (const chosen of [all, cases])
        expect([...kindsOf([...chosen, ...last])].sort()).toEqual(ldapKinds().sort());
      for (const round of rounds(cases)) await undoChanges(lab, round.map(made), await prove(round));
      expect(await differenceNow()).toEqual([]);
      // A SID history cannot be undone.
      await prove(last);
    }, 600_000);

    /** Names that a search of the database finds, in lower case. */
    async function namesOf(filter: string): Promise<string[]> {
      const database = join(lab.directory, 'private/sam.ldb');
      const found = await lab.run('ldbsearch', '-H', database, filter, '1.1');
      return [...found.matchAll(/^dn: (.*)$/gm)].map(([, name = '']) => name.toLowerCase());
    }

    it('counts members by their primary group, which memberOf leaves out', async () => {
      const [hidden] = planted(({ note }) => note === 'hidden by primaryGroupID');
      const [user = '', group = ''] = hidden!.names.map((name) => name.toLowerCase());
      const below = `(memberOf:1.2.840.113556.1.4.1941:=${group})`;
      expect(await namesOf(below)).not.toContain(user);
      expect(ENGINES.Member).toContain("'(primaryGroupID=' + $one.Split('-')[-1] + ')'");
      expect(await namesOf(`(|${below}(primaryGroupID=512))`)).toContain(user);
    });

    it('finds read-only controllers, and links of a policy in any container', async () => {
      const [, controllers = ''] = /'(\(&\(objectClass=computer\)\(\|[^']*)'/.exec(ENGINES.Policy) ?? [];
      const plain = await namesOf('(userAccountControl:1.2.840.113556.1.4.803:=8192)');
      expect(await namesOf(controllers)).toEqual(plain);
      const [readOnly = ''] = await namesOf('(&(objectClass=computer)(cn=RODC1))');
      const file = join(root, 'rodc.ldif');
      writeFileSync(
        file,
        `dn: ${readOnly}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: ${0x4001000}\n`,
      );
      await lab.run('ldbmodify', '-H', join(lab.directory, 'private/sam.ldb'), file);
      expect((await namesOf(controllers)).sort()).toEqual([...plain, readOnly].sort());

      const links = planted(({ kind, names: [, at] }) => kind === 'GPLink' && at !== 'site');
      const [id = ''] = /\{[^}]+\}/.exec(links[0]!.names[0] ?? '') ?? [];
      const hex = [...Buffer.from(id.toLowerCase())].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`);
      expect(ENGINES.Policy).toContain("('(gPLink=*' + (ConvertTo-FilterText $mark) + '*)')");
      const expected = links.filter(({ names: [policy = ''] }) => policy.includes(id));
      const found = await namesOf(`(gPLink=*${hex.join('')}*)`);
      expect(found).toEqual(expect.arrayContaining(expected.map(({ names }) => names[1]?.toLowerCase())));
    });
  },
);
