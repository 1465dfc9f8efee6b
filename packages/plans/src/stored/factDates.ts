/**
 * The dates at which collections last looked at the facts of started plans. An object that a collection describes proves nothing about a
 * set that this run did not enumerate, such as the local groups of a computer that was off.
 *
 *   missing relationship -> the sets that could hold it -> newest enumeration
 *   relationship that exists -> the sets that can hold it -> oldest of their enumerations
 *   property -> its object -> newest description
 *
 * Rule: `docs/plan.md#evidence`.
 */
import type { AttackGraph } from '@clew/graph';
import { Aspect, type AspectName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { samplesAmong } from '../tasks/relationSources.ts';
import type { ChangeFacts } from '../tasks/startedFacts.ts';
import { type FactSet, type FactSets, factSets, type Relation } from './factSets.ts';

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
  readonly #sets: ReadonlyMap<Relation, FactSets>;
  /** Relationships that OpenGraph files report at present. */
  readonly #samples: ReadonlySet<Relation>;

  constructor(
    dates: ReadonlyMap<string, Dates>,
    deletedAt: ReadonlyMap<string, string>,
    sets: ReadonlyMap<Relation, FactSets>,
    samples: ReadonlySet<Relation>,
  ) {
    this.#dates = dates;
    this.#deletedAt = deletedAt;
    this.#sets = sets;
    this.#samples = samples;
  }

  /**
   * For a relationship that is missing: one look is enough.
   * @returns the newest enumeration of a set that could hold it, or deletion of its owner; null for samples, and if none is known
   */
  newestOf(relation: Relation): string | null {
    const { sets, described } = this.#setsOf(relation);
    return newest([
      ...sets.flatMap((set) => [this.deletedAt(set.owner), this.#own(set), this.#included(set)]),
      ...described.map((id) => this.#described(id)),
    ]);
  }

  /**
   * For a relationship that exists: one of the sets holds it, and only an enumeration of this set shows it again.
   * @returns the earliest of the last enumerations of sets that can hold it; null for samples, and if none is known
   */
  oldestOf(relation: Relation): string | null {
    if (this.#samples.has(relation)) return null;
    const { sets, described } = this.#setsOf(relation);
    return oldest([
      ...sets.map((set) => this.#own(set) ?? this.#included(set)),
      ...described.map((id) => this.#described(id)),
    ]);
  }

  #setsOf(relation: Relation): FactSets {
    return this.#sets.get(relation) ?? { sets: [], described: [] };
  }

  #own({ owner, aspect }: FactSet): string | null {
    return this.#enumerated(owner, aspect);
  }

  #included({ aspect, enumeratedBy }: FactSet): string | null {
    return newest(enumeratedBy.map((id) => this.#enumerated(id, aspect)));
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
}

function newest(dates: readonly (string | null)[]): string | null {
  return dates.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null);
}

function oldest(dates: readonly (string | null)[]): string | null {
  return dates.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null);
}

/** The set in which a collector writes the property, if it has one. */
function setOfProperty({ object_id: owner, key }: ChangeFacts['properties'][number]): FactSet[] {
  const aspect = READ_FROM_HOSTS[key] ?? null;
  return aspect === null ? [] : [{ owner, aspect: Aspect[aspect], enumeratedBy: [] }];
}

/** Reads the dates of all facts of these changes. Nothing is read without changes. */
export async function factDates(
  db: Db,
  graph: AttackGraph,
  changes: readonly ChangeFacts[],
): Promise<FactDates> {
  const sets = new Map(
    changes.flatMap((change) =>
      change.removed.map((relation) => [relation, factSets(graph, relation, change)] as const),
    ),
  );
  const properties = changes.flatMap((change) => change.properties);
  const held = [...[...sets.values()].flatMap((one) => one.sets), ...properties.flatMap(setOfProperty)];
  const ids = [
    ...new Set([
      ...held.flatMap(({ owner, enumeratedBy }) => [owner, ...enumeratedBy]),
      // Their dates of deletion and description count, too.
      ...[...sets.keys()].flatMap(({ start, end }) => [start, end]),
      ...properties.map(({ object_id }) => object_id),
    ]),
  ];
  if (ids.length === 0) return new FactDates(new Map(), new Map(), sets, new Set());
  const aspects = [...new Set(held.map(({ aspect }) => aspect))];
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
  const samples = await samplesAmong(db, [...sets.keys()]);
  return new FactDates(dates, new Map(deleted.rows.map(({ id, at }) => [id, at])), sets, samples);
}
