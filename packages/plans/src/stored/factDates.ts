/**
 * The dates at which collections last looked at the facts of started plans. An object that a collection describes proves nothing about a
 * set that this run did not enumerate, such as the local groups of a computer that was off.
 *
 *   relationship -> the aspects of its ends that have it -> newest enumeration
 *   property -> its object -> newest description
 *
 * Rule: `docs/plan.md#evidence`.
 */
import { Aspect, type AspectName, EdgeFlag, edgeKindByName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { ChangeFacts } from '../tasks/startedFacts.ts';

type Relation = ChangeFacts['removed'][number];

/** The end of a relationship that has it in an aspect. */
type Holder = readonly ['start' | 'end', AspectName];

const ACCESS_LIST: readonly Holder[] = [['end', 'acl']];
const OF_SERVICE: readonly Holder[] = [
  ['end', 'acl'],
  ['end', 'ca-acl'],
];
const PRIMARY_GROUP: readonly Holder[] = [['start', 'primary-group']];
const TRUSTS: readonly Holder[] = [
  ['start', 'trusts'],
  ['end', 'trusts'],
];

/** Kinds of relationships that are not only in the access list of their end. */
const HOLDERS: Readonly<Record<string, readonly Holder[]>> = {
  MemberOf: [['end', 'members']],
  MemberOfLocalGroup: [['end', 'local-groups']],
  LocalToComputer: [['end', 'local-groups']],
  RemoteInteractiveLogonRight: [['end', 'user-rights']],
  AllowedToDelegate: [['start', 'delegation']],
  AllowedToAct: [['end', 'allowed-to-act']],
  HasSIDHistory: [['start', 'sid-history']],
  DumpSMSAPassword: [['start', 'smsa-passwords']],
  SQLAdmin: [['start', 'spn-targets']],
  CoerceToTGT: [['start', 'domain-role']],
  DCFor: [['start', 'domain-role']],
  SameForestTrust: TRUSTS,
  CrossForestTrust: TRUSTS,
  AbuseTGTDelegation: TRUSTS,
  SpoofSIDHistory: TRUSTS,
  GPLink: [['end', 'gp-links']],
  Contains: [
    ['end', 'contained-by'],
    ['start', 'child-objects'],
  ],
  HostsCAService: [['end', 'ca-service']],
  PublishedTo: [['end', 'published-templates']],
  RootCAFor: [['start', 'pki-domain']],
  NTAuthStoreFor: [['start', 'pki-domain']],
  OIDGroupLink: [['start', 'group-link']],
  ManageCA: OF_SERVICE,
  ManageCertificates: OF_SERVICE,
  Enroll: OF_SERVICE,
  // Sessions are samples.
  HasSession: [],
};

/** The authority has this relationship, and is not an end of it. */
const OF_OTHERS: ReadonlySet<string> = new Set(['DelegatedEnrollmentAgent']);

/** Properties that collectors read from the registry of the authority, together with this aspect; null for those without one. */
const READ_FROM_HOSTS: Readonly<Record<string, AspectName | null>> = {
  isuserspecifiessanenabled: 'ca-acl',
  rpcencryptionenforced: null,
  disabledextensions: null,
  hasvulnerableendpoint: null,
  strongcertificatebindingenforcementraw: null,
  certificatemappingmethodsraw: null,
  ldapsigning: null,
  ldapsepa: null,
  vulnerablenetlogonsecuritydescriptor: null,
  smbsigning: null,
};

interface Dates {
  /** Newest description by a source. */
  readonly described: string | null;
  /** Newest enumeration by number of the aspect. */
  readonly aspects: ReadonlyMap<number, string>;
}

export class FactDates {
  readonly #dates: ReadonlyMap<string, Dates>;
  readonly #deletedAt: ReadonlyMap<string, string>;

  constructor(dates: ReadonlyMap<string, Dates>, deletedAt: ReadonlyMap<string, string>) {
    this.#dates = dates;
    this.#deletedAt = deletedAt;
  }

  /** @returns the newest enumeration of a set that has the relationship if it exists; null for samples, and if none is known */
  ofRelation(relation: Relation): string | null {
    const { start, kind: name, end } = relation;
    const kind = edgeKindByName(name);
    if (kind === undefined) return null;
    // Collectors of Entra ID enumerate all aspects of an object in each run.
    if (kind.platform === 'azure') return newest([this.#described(end), ...this.#allOf(end)]);
    if (kind.origin === 'derived' || OF_OTHERS.has(name))
      return newest([this.#described(start), this.#described(end)]);
    return newest(
      holdersOf(relation).flatMap(([side, aspect]) =>
        ownersOf(relation[side]).map((id) => this.#enumerated(id, Aspect[aspect])),
      ),
    );
  }

  /** @returns the newest description of the object, whether it read the property or not */
  ofObject(objectId: string): string | null {
    return this.#described(objectId);
  }

  /** @returns the newest date at which a collection read the property for certain; null if that is not known */
  ofProperty(objectId: string, key: string): string | null {
    const aspect = READ_FROM_HOSTS[key];
    if (aspect === undefined) return this.#described(objectId);
    return aspect === null ? null : this.#enumerated(objectId, Aspect[aspect]);
  }

  /** Time at which a collection reported the object as deleted; null for other objects. */
  deletedAt(objectId: string): string | null {
    return this.#deletedAt.get(objectId) ?? null;
  }

  #described(id: string): string | null {
    return this.#dates.get(id)?.described ?? null;
  }

  #enumerated(id: string, aspect: number): string | null {
    return this.#dates.get(id)?.aspects.get(aspect) ?? null;
  }

  #allOf(id: string): string[] {
    return [...(this.#dates.get(id)?.aspects.values() ?? [])];
  }
}

function newest(dates: readonly (string | null)[]): string | null {
  return dates.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null);
}

const holdersOf = ({ kind, flags }: Relation): readonly Holder[] =>
  kind === 'MemberOf' && (flags & EdgeFlag.PrimaryGroup) !== 0
    ? PRIMARY_GROUP
    : (HOLDERS[kind] ?? ACCESS_LIST);

/** A computer enumerates its local groups, whose ids begin with its own. */
const ownersOf = (id: string): string[] => [
  id,
  ...(/^(S-1-5-21-\d+-\d+-\d+-\d+)-\d+$/.exec(id)?.slice(1) ?? []),
];

/** All ids that `FactDates` needs for these changes. */
const idsOf = (changes: readonly ChangeFacts[]): string[] => [
  ...new Set(
    changes.flatMap(({ removed, properties }) => [
      ...removed.flatMap(({ start, end }) => [...ownersOf(start), ...ownersOf(end)]),
      ...properties.map(({ object_id }) => object_id),
    ]),
  ),
];

/** The aspects of objects in Azure and Entra ID. */
const AZURE = Object.entries(Aspect).flatMap(([name, id]) => (name.startsWith('az-') ? [id] : []));

/** All aspects that `FactDates` needs for these changes. */
const aspectsOf = (changes: readonly ChangeFacts[]): number[] => [
  ...new Set(
    changes.flatMap(({ removed, properties }) => [
      ...removed.flatMap((relation) =>
        edgeKindByName(relation.kind)?.platform === 'azure'
          ? AZURE
          : holdersOf(relation).map(([, aspect]) => Aspect[aspect]),
      ),
      ...properties.flatMap(({ key }) => {
        const aspect = READ_FROM_HOSTS[key] ?? null;
        return aspect === null ? [] : [Aspect[aspect]];
      }),
    ]),
  ),
];

/** Reads the dates of all facts of these changes. Nothing is read without changes. */
export async function factDates(db: Db, changes: readonly ChangeFacts[]): Promise<FactDates> {
  const ids = idsOf(changes);
  if (ids.length === 0) return new FactDates(new Map(), new Map());
  const aspects = aspectsOf(changes);
  const named = sql`object_id id where id.object_id = any (${ids}::text[])`;
  // A set that the last description of its owner left out has its own date.
  const { rows } = await sql<{ id: string; at: string; is_described: boolean; aspects: number[] }>`
    with named as materialized (select id.id, id.object_id from ${named})
    select named.object_id as id, last_collected as at, true as is_described,
      array(select bit from unnest(${aspects}::integer[]) bit where aspects >> bit & 1 = 1) as aspects
    from named join sighting on sighting.node_id = named.id where last_collected is not null
    union all
    select named.object_id, edge_set.collected_at, false, array[edge_set.aspect::integer]
    from named join edge_set on edge_set.owner_id = named.id where aspect = any (${aspects}::integer[])`.execute(
    db,
  );
  const deleted = await sql<{ id: string; at: string }>`
    with named as materialized (select id.id, id.object_id from ${named})
    select named.object_id as id, node.deleted_at as at from named join node using (id)
    where node.deleted_at is not null`.execute(db);
  const dates = new Map<string, { described: string | null; aspects: Map<number, string> }>();
  for (const { id, at, is_described, aspects: enumerated } of rows) {
    const known = dates.get(id) ?? { described: null, aspects: new Map<number, string>() };
    dates.set(id, known);
    if (is_described) known.described = newest([known.described, at]);
    for (const aspect of enumerated)
      known.aspects.set(aspect, newest([known.aspects.get(aspect) ?? null, at]) ?? at);
  }
  return new FactDates(dates, new Map(deleted.rows.map(({ id, at }) => [id, at])));
}
