/**
 * Work packages: what one person does in one go. A repair alone is one; so is the same kind of change on the same object or on
 * objects of one container, and what is useless apart. The search of the plan chooses among them.
 *
 * Rule: `docs/plan.md#packages`.
 */
import type { AnalysisContext } from '../analysisContext.ts';
import { PackageFacts } from './packageFacts.ts';
import type { PackageKind } from './planTypes.ts';
import type { Repair, RepairKind } from './repairs.ts';

export interface WorkPackage {
  readonly key: string;
  readonly kind: PackageKind;
  /** Nodes that the text names. */
  readonly subjects: readonly number[];
  /** Places of its repairs, ascending. */
  readonly repairs: readonly number[];
  readonly cost: number;
  /** One change, or changes that are useless apart: nothing smaller does part of it. */
  readonly isAtomic: boolean;
  /** A setting, a CA, a template, a whole domain, or what a default group holds: few whatever the size. */
  readonly isWide: boolean;
  /** Takes an account out of an administrative group: wanted as a rule, so never the first thing that is said. */
  readonly isLate: boolean;
}

export interface PackageInput {
  readonly context: AnalysisContext;
  readonly repairs: readonly Repair[];
  readonly costs: Readonly<Record<RepairKind, number>>;
  /** True for repairs that no one can carry out. */
  readonly isExcluded?: (repair: Repair) => boolean;
}

/** Each further object of a package costs this part of the dearest. */
const FURTHER = 0.25;
/** Of a local group: a policy sets it on all hosts of a unit. */
const FURTHER_HOST = 0.1;

/** @returns packages in the order in which ties are decided: fewer changes, then settings, rights, memberships, sessions */
export function workPackages({ context, repairs, costs, isExcluded }: PackageInput): WorkPackage[] {
  const facts = new PackageFacts(context, costs);
  const usable = repairs.flatMap((repair, place) =>
    facts.isPossible(repair) && isExcluded?.(repair) !== true ? [{ ...facts.of(repair), repair, place }] : [],
  );
  const found = new Map<string, WorkPackage>();
  const collector = new Collector(facts, usable, found);
  addAtomic(collector);
  addSettings(collector, facts);
  addCertificates(collector, facts);
  addRights(collector);
  addPlaces(collector);
  return withoutTwins([...found.values()]).sort(byTie);
}

/** Of packages with the same changes the cheapest stays, an atomic one before others. */
function withoutTwins(packages: readonly WorkPackage[]): WorkPackage[] {
  const isBetter = (a: WorkPackage, b: WorkPackage): boolean =>
    a.cost !== b.cost ? a.cost < b.cost : a.isAtomic && !b.isAtomic;
  const best = new Map<string, WorkPackage>();
  for (const each of packages) {
    const changes = each.repairs.join();
    const known = best.get(changes);
    if (known === undefined || isBetter(each, known)) best.set(changes, each);
  }
  return [...best.values()];
}

export type Usable = ReturnType<PackageFacts['of']> & { readonly repair: Repair; readonly place: number };

interface Grouping {
  readonly kind: PackageKind;
  /** Nodes that name the group of a repair, and the package; nothing for repairs that are in none. */
  readonly by: (usable: Usable) => readonly number[] | undefined;
  /** What counts as one object; default each repair. */
  readonly object?: (usable: Usable) => number;
  /** Part of the cost for each further object. */
  readonly further: number;
  /** Objects at least. */
  readonly min?: number;
  readonly isAtomic?: boolean;
}

class Collector {
  readonly #facts: PackageFacts;
  readonly #usable: readonly Usable[];
  readonly #found: Map<string, WorkPackage>;

  constructor(facts: PackageFacts, usable: readonly Usable[], found: Map<string, WorkPackage>) {
    this.#facts = facts;
    this.#usable = usable;
    this.#found = found;
  }

  addSingle(usable: Usable): void {
    this.#put(usable.repair.id, usable.repair.kind, namesOf(usable.repair), [usable], usable.cost, true);
  }

  /** Repairs grouped by nodes. @param only of these @returns the groups */
  addGroups({ kind, by, object, further, min = 2, isAtomic = false }: Grouping): void {
    const groups = new Map<string, { nodes: readonly number[]; members: Usable[] }>();
    for (const usable of this.#usable) {
      const nodes = by(usable);
      if (nodes === undefined) continue;
      const key = nodes.join();
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { nodes, members: [usable] });
      else known.members.push(usable);
    }
    for (const { nodes, members } of groups.values()) {
      const count = object === undefined ? members.length : new Set(members.map(object)).size;
      if (count < min) continue;
      const dearest = members.reduce((most, { cost }) => Math.max(most, cost), 0);
      const dear = members.reduce((sum, { isDear, cost: own }) => (isDear ? sum + own : sum), 0);
      const together = dearest * (1 + further * (count - 1));
      // An entry, or rights on one object, are one change however many relations they are.
      const cost = Math.round(100 * (further > 0 ? Math.max(dear, together) : dearest)) / 100;
      const key = `${kind} ${nodes.map((node) => this.#facts.idOf(node)).join(' ')}`;
      if (members.length === 1 && isAtomic) this.addSingle(members[0]);
      else this.#put(key, kind, nodes, members, cost, isAtomic);
    }
  }

  addSingles(isSingle: (usable: Usable) => boolean): void {
    for (const usable of this.#usable) if (isSingle(usable)) this.addSingle(usable);
  }

  #put(
    key: string,
    kind: PackageKind,
    subjects: readonly number[],
    members: readonly Usable[],
    cost: number,
    isAtomic: boolean,
  ): void {
    this.#found.set(key, {
      ...{ key, kind, cost, isAtomic, subjects: subjects.filter((node) => node >= 0) },
      repairs: members.map(({ place }) => place).sort((a, b) => a - b),
      isWide: members.every(({ isWide }) => isWide),
      isLate: members.some(({ isLate }) => isLate),
    });
  }
}

const namesOf = ({ object, principal }: Repair): number[] =>
  principal === undefined ? [object] : [object, principal];

const RIGHTS: ReadonlySet<RepairKind> = new Set(['remove-permission', 'change-owner', 'remove-enrolment']);
const LDAP: ReadonlySet<RepairKind> = new Set(['controllers-ldap-signing', 'controllers-channel-binding']);
const OF_FOREST: ReadonlySet<RepairKind> = new Set([
  ...LDAP,
  ...(['controllers-certificate-binding', 'controllers-certificate-mapping'] as const),
]);

const isRight = ({ repair }: Usable): boolean => RIGHTS.has(repair.kind);

/** What cannot be done in part. Several entries of one principal on one object are one. */
function addAtomic(collector: Collector): void {
  collector.addSingles((usable) => !isRight(usable) && !OF_FOREST.has(usable.repair.kind));
  collector.addGroups({
    kind: 'rights-on-object',
    by: (usable) =>
      isRight(usable) && usable.source === undefined
        ? [usable.repair.object, usable.repair.principal as number]
        : undefined,
    ...{ further: 0, min: 1, isAtomic: true },
  });
  // An entry that comes from a container goes there, with what the principal holds on the container by it.
  collector.addGroups({
    kind: 'inherited-entry',
    by: (usable) =>
      isRight(usable) && usable.source !== undefined
        ? [usable.source, usable.repair.principal as number]
        : undefined,
    object: () => 0,
    ...{ further: 0, min: 1, isAtomic: true },
  });
}

function addSettings(collector: Collector, facts: PackageFacts): void {
  const forest = ({ repair }: Usable): number[] => [facts.forestOf(repair.object)];
  collector.addGroups({
    kind: 'ldap-protection',
    by: ({ repair }) => (LDAP.has(repair.kind) ? [repair.object] : undefined),
    ...{ further: FURTHER, min: 1, isAtomic: true },
  });
  collector.addGroups({
    kind: 'forest-ldap-protection',
    by: (usable) => (LDAP.has(usable.repair.kind) ? forest(usable) : undefined),
    further: FURTHER,
  });
  // These change all controllers of the forest, whichever domain asks for it.
  for (const [kind, own] of [
    ['forest-certificate-binding', 'controllers-certificate-binding'],
    ['forest-certificate-mapping', 'controllers-certificate-mapping'],
  ] as const)
    collector.addGroups({
      kind,
      by: (usable) => (usable.repair.kind === own ? forest(usable) : undefined),
      ...{ further: FURTHER, min: 1, isAtomic: true },
    });
  for (const [kind, own] of [
    ['forest-smb-signing', 'domain-smb-signing'],
    ['forest-separate-logons', 'separate-logons'],
  ] as const)
    collector.addGroups({
      kind,
      by: (usable) => (usable.repair.kind === own ? forest(usable) : undefined),
      further: FURTHER,
    });
}

function addCertificates(collector: Collector, facts: PackageFacts): void {
  for (const ca of facts.authorities) {
    const isHere = facts.templatesOf(ca);
    collector.addGroups({
      kind: 'ca-template-enrollment',
      by: ({ repair }) =>
        repair.kind === 'remove-enrolment' && isHere.has(repair.object)
          ? [ca, repair.principal as number]
          : undefined,
      ...{ object: ({ repair }) => repair.object, further: FURTHER },
    });
    collector.addGroups({
      kind: 'ca-template-approval',
      by: ({ repair }) =>
        repair.kind === 'template-approval' && isHere.has(repair.object) ? [ca] : undefined,
      further: FURTHER,
    });
    collector.addGroups({
      kind: 'ca-template-unpublishing',
      by: ({ repair }) => (repair.kind === 'unpublish-template' && repair.object === ca ? [ca] : undefined),
      further: FURTHER,
    });
  }
}

function addRights(collector: Collector): void {
  const object = ({ repair }: Usable): number => repair.object;
  collector.addGroups({
    kind: 'rights-in-container',
    by: (usable) =>
      isRight(usable) && usable.source === undefined && usable.parent !== undefined
        ? [usable.parent, usable.repair.principal as number]
        : undefined,
    ...{ object, further: FURTHER },
  });
  collector.addGroups({
    kind: 'access-list',
    by: (usable) => (isRight(usable) && usable.source === undefined ? [usable.repair.object] : undefined),
    ...{ object: ({ repair }) => repair.principal as number, further: FURTHER },
  });
  collector.addGroups({
    kind: 'rights-of-default-group',
    by: (usable) =>
      isRight(usable) && usable.isOfDefaultGroup ? [usable.repair.principal as number] : undefined,
    ...{ object, further: FURTHER },
  });
}

function addPlaces(collector: Collector): void {
  for (const at of ['unit', 'domain'] as const)
    collector.addGroups({
      kind: 'local-group-of-hosts',
      by: (usable) => {
        const { repair, localGroup } = usable;
        const place = localGroup?.[at];
        if (repair.kind !== 'remove-local-member' || localGroup === undefined || place === undefined)
          return undefined;
        return [place, repair.principal as number, -localGroup.relativeId];
      },
      further: FURTHER_HOST,
    });
  collector.addGroups({
    kind: 'account-off-hosts',
    by: ({ repair }) => (repair.kind === 'keep-off' ? [repair.principal as number] : undefined),
    further: FURTHER,
  });
  collector.addGroups({
    kind: 'accounts-off-host',
    by: ({ repair }) => (repair.kind === 'keep-off' ? [repair.object] : undefined),
    further: FURTHER,
  });
  collector.addGroups({
    kind: 'members-of-group',
    by: ({ repair }) => (repair.kind === 'remove-member' ? [repair.object] : undefined),
    further: FURTHER,
  });
}

const MEMBERSHIPS: ReadonlySet<string> = new Set([
  ...['remove-member', 'remove-local-member', 'members-of-group', 'local-group-of-hosts', 'remove-role'],
]);
const SESSIONS: ReadonlySet<string> = new Set([
  ...['keep-off', 'separate-logons', 'account-off-hosts', 'accounts-off-host', 'forest-separate-logons'],
]);
const OF_RIGHTS: ReadonlySet<string> = new Set([
  ...RIGHTS,
  ...['rights-on-object', 'inherited-entry', 'rights-in-container', 'access-list', 'rights-of-default-group'],
  ...['ca-template-enrollment', 'remove-logon-right', 'remove-delegation', 'remove-relation'],
]);

const rankOf = ({ kind }: WorkPackage): number =>
  SESSIONS.has(kind) ? 3 : MEMBERSHIPS.has(kind) ? 2 : OF_RIGHTS.has(kind) ? 1 : 0;

const byTie = (a: WorkPackage, b: WorkPackage): number =>
  a.repairs.length - b.repairs.length || rankOf(a) - rankOf(b) || (a.key < b.key ? -1 : 1);
