/** Reports changes since a time. Rule: `docs/history.md`. */

import { compose, hasFlag } from '@clew/analysis';
import type { DifferenceRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import {
  type ChangedEdge,
  edgeKey,
  findNode,
  type GraphDifference,
  isChangedNode,
  NO_NODE,
  type NodeState,
} from '@clew/graph';
import {
  changedSettings,
  differenceSince,
  type GenerationInstant,
  generationAt,
  type PastDifference,
  type Snapshot,
} from '@clew/judgment';
import { EdgeFlag } from '@clew/model';
import { type AnalyzedWorld, exposureMovers, type Mover, type RankedZone, rankedZone } from '@clew/planning';
import { edgeKindName, labelOfKinds } from '@clew/queries';
import type { Db } from '@clew/store';
import { environmentsFor } from './chokePointsTask.ts';
import { notInAnalysis, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { type Seen, type Sight, sightIn } from './sight.ts';

export interface DifferenceRequest {
  /** A time in the format of the store. */
  readonly since: string;
  /** End time: the last analysis up to it is compared; default: the newest. */
  readonly until?: string;
  readonly zone: number;
  /** Maximum number of entries per list. */
  readonly limit: number;
  readonly seen: Seen;
}

/** Findings are in the store and need no graph. */
export interface DifferenceAnswer {
  readonly record: GraphDifferenceRecord;
  /** Publication times. */
  readonly instants: { readonly from: string; readonly to: string };
}

type GraphDifferenceRecord = Omit<DifferenceRecord, 'findings'>;

export async function difference(
  state: PlanState,
  { since, until, zone, limit, seen }: DifferenceRequest,
): Promise<DifferenceAnswer> {
  const { generation, world, db } = state;
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) throw notInAnalysis(zone);
  const end = until === undefined ? generation : await generationAt(db, generation, until);
  const found = await differenceSince(db, end, since);
  const sight = sightIn(generation, seen);
  const shown = new Shown(generation, found.difference, sight);
  const { shown: whole, notShown } = environmentsFor(state, sight);
  const record = {
    from: await instantOf(db, found.base),
    to: await instantOf(db, end),
    reaches_back: found.reachesBack,
    asset_group_tag_id: zone,
    objects: shown.objects(limit),
    relations: shown.relations(limit),
    settings: settings(generation, found, limit, sight),
    exposure: exposures(generation, world, zone, found, whole),
    // Only the graph of the newest generation is in memory.
    ...(sight === undefined && end.id === generation.id
      ? movedBy(generation, world, ranked, shown.attackSteps(), limit)
      : MOVERS_NOT_SHOWN),
    not_shown: notShown,
  };
  return { record, instants: { from: found.before.instant, to: found.after.instant } };
}

/**
 * Values for users with limited environments, who may not see counts of all forests, and for earlier analyses, whose values are
 * unknown.
 */
const MOVERS_NOT_SHOWN = { moved_by: [], came_together: null, went_together: null };

function movedBy(
  generation: Generation,
  world: AnalyzedWorld,
  ranked: RankedZone,
  changes: ReturnType<Shown['attackSteps']>,
  limit: number,
): Pick<GraphDifferenceRecord, 'moved_by' | 'came_together' | 'went_together'> {
  const { movers, cameTogether, wentTogether } = exposureMovers(world, ranked, changes, limit);
  const came = new Set(changes.came.map(edgeKey));
  return {
    moved_by: movers.map((mover) => moverRecord(generation, world, mover, came)),
    came_together: cameTogether,
    went_together: wentTogether,
  };
}

async function instantOf(db: Db, { id, publishedAt }: GenerationInstant) {
  const row = await db
    .selectFrom('generation')
    .select('rules_version')
    .where('id', '=', id)
    .executeTakeFirst();
  return { generation: id, published_at: publishedAt, rules_version: row?.rules_version ?? '' };
}

/** A difference described with the names of the newest generation. */
class Shown {
  readonly #generation: Generation;
  readonly #difference: GraphDifference;
  readonly #sight: Sight | undefined;

  /** @param sight limits the result to visible objects; default: all */
  constructor(generation: Generation, all: GraphDifference, sight?: Sight) {
    this.#generation = generation;
    this.#difference = all;
    this.#sight = sight;
  }

  /** Visibility of a deleted object depends on its last environment. */
  #sees({ objectId, before, after }: GraphDifference['nodes'][number]): boolean {
    const sight = this.#sight;
    if (sight === undefined) return true;
    // If an object moved between environments, both must be visible.
    return [before, after].every(
      (state) =>
        state === undefined || sight.environments.has(state.environment) || sight.isVisible(objectId),
    );
  }

  #seenEdges(): readonly ChangedEdge[] {
    const { nodes, edges } = this.#difference;
    if (this.#sight === undefined) return edges;
    const isSeen = nodes.map((node) => this.#sees(node));
    return edges.filter(({ start, end }) => isSeen[start] && isSeen[end]);
  }

  objects(limit: number): GraphDifferenceRecord['objects'] {
    const nodes = this.#difference.nodes.filter((node) => isChangedNode(node) && this.#sees(node));
    const came = nodes.filter(({ before }) => before === undefined);
    const went = nodes.filter(({ after }) => after === undefined);
    const changed = nodes.filter(({ before, after }) => before !== undefined && after !== undefined);
    return {
      ...{ came_count: came.length, went_count: went.length, changed_count: changed.length },
      came: came.slice(0, limit).map(({ objectId, after }) => this.#object(objectId, after)),
      went: went.slice(0, limit).map(({ objectId, before }) => this.#object(objectId, before)),
      changed: changed.slice(0, limit).map(({ objectId, before, after }) => ({
        ...this.#object(objectId, after),
        before: this.#object(objectId, before),
      })),
    };
  }

  relations(limit: number): GraphDifferenceRecord['relations'] {
    // A relationship that differs only in flags is unchanged.
    const edges = this.#seenEdges();
    const came = edges.filter(({ before }) => before === undefined);
    const went = edges.filter(({ after }) => after === undefined);
    const kinds = new Map<number, { came: number; went: number }>();
    const countOf = (kind: number) => {
      const count = kinds.get(kind) ?? { came: 0, went: 0 };
      kinds.set(kind, count);
      return count;
    };
    for (const { kind } of came) countOf(kind).came++;
    for (const { kind } of went) countOf(kind).went++;
    // Collected facts are more informative than derived ones, so they come first.
    const collectedFirst = (edges: readonly ChangedEdge[]) =>
      [...edges.filter((edge) => !isDerived(edge)), ...edges.filter(isDerived)]
        .slice(0, limit)
        .map((edge) => this.#relation(edge));
    return {
      ...{ came_count: came.length, went_count: went.length },
      kinds: [...kinds]
        .map(([kind, count]) => ({
          ...{ kind: edgeKindName(this.#generation, kind), came_count: count.came, went_count: count.went },
        }))
        .sort(
          (a, b) => b.came_count + b.went_count - a.came_count - a.went_count || (a.kind < b.kind ? -1 : 1),
        ),
      came: collectedFirst(came),
      went: collectedFirst(went),
    };
  }

  /** Changed relationships whose ends still exist. */
  attackSteps() {
    const { graph } = this.#generation;
    const { nodes, edges } = this.#difference;
    const numbers = nodes.map(({ objectId, after }) =>
      after === undefined ? NO_NODE : findNode(graph, objectId),
    );
    const changed = edges
      .filter(({ start, end }) => numbers[start] !== NO_NODE && numbers[end] !== NO_NODE)
      .map(({ start, end, kind, before, after }) => ({
        ref: { start: numbers[start], kind, end: numbers[end] },
        ...{ before, after },
      }));
    return {
      came: changed.flatMap(({ ref, before }) => (before === undefined ? [ref] : [])),
      went: changed.flatMap(({ ref, after }) => (after === undefined ? [ref] : [])),
    };
  }

  #relation(edge: ChangedEdge) {
    const end = (place: number) => {
      const { objectId, before, after } = this.#difference.nodes[place];
      return this.#object(objectId, after ?? before);
    };
    return {
      ...{ source: end(edge.start), kind: edgeKindName(this.#generation, edge.kind), target: end(edge.end) },
      is_derived: isDerived(edge),
    };
  }

  #object(objectId: string, state: NodeState | undefined) {
    return {
      object_id: objectId,
      name: state?.name || objectId,
      kind: labelOfKinds(this.#generation, state?.kinds ?? []),
    };
  }
}

const isDerived = ({ before, after }: ChangedEdge): boolean =>
  ((after ?? before ?? 0) & EdgeFlag.Derived) !== 0;

function moverRecord(
  generation: Generation,
  { context }: AnalyzedWorld,
  { start, end, kinds, change, principals }: Mover,
  came: ReadonlySet<string>,
): GraphDifferenceRecord['moved_by'][number] {
  const behind = kinds.flatMap((kind) =>
    change === 'came' ? compose(context, { start, kind, end }).edges : [],
  );
  const because = new Map(
    behind.filter((edge) => came.has(edgeKey(edge))).map((edge) => [edgeKey(edge), edge]),
  );
  return {
    ...{ change, source: objectRecord(generation, start), target: objectRecord(generation, end) },
    kinds: kinds.map((kind) => edgeKindName(generation, kind)),
    principal_count: principals,
    because: [...because.values()].map((edge) => ({
      ...{ source: objectRecord(generation, edge.start), kind: edgeKindName(generation, edge.kind) },
      target: objectRecord(generation, edge.end),
      is_derived: hasFlag(generation.graph, edge, EdgeFlag.Derived),
    })),
  };
}

function settings(
  generation: Generation,
  { before, after }: PastDifference,
  limit: number,
  sight: Sight | undefined,
): GraphDifferenceRecord['settings'] {
  const all =
    before.settings === undefined || after.settings === undefined
      ? []
      : changedSettings(before.settings, after.settings);
  const changed = sight === undefined ? all : all.filter(({ objectId }) => sight.isVisible(objectId));
  return {
    changed_count: changed.length,
    changed: changed.slice(0, limit).map(({ objectId, ...values }) => {
      const node = findNode(generation.graph, objectId);
      return {
        ...(node === NO_NODE
          ? { object_id: objectId, name: objectId, kind: 'Unknown' }
          : objectRecord(generation, node)),
        ...values,
      };
    }),
  };
}

function exposures(
  generation: Generation,
  world: AnalyzedWorld,
  zone: number,
  { before, after }: PastDifference,
  shown: ReadonlySet<number>,
): GraphDifferenceRecord['exposure'] {
  const shareIn = (past: Snapshot, environment: string): number | null =>
    past.exposure.find(({ environment_id, tag_id }) => environment_id === environment && tag_id === zone)
      ?.share ?? null;
  // The exposure of the others is unknown, which is not 0%.
  const collected = new Set(generation.environments.filter((each) => each.collected).map(({ node }) => node));
  return world.environments
    .filter((node, place) => shown.has(place) && collected.has(node))
    .map((node) => objectRecord(generation, node))
    .map(({ object_id, name }) => ({
      ...{ environment_id: object_id, environment_name: name },
      ...{ before: shareIn(before, object_id), after: shareIn(after, object_id) },
    }))
    .filter((each) => each.before !== null || each.after !== null);
}
