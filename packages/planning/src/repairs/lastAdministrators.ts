/**
 * Finds the relations that a plan never removes: those through which the last administrator of an environment administers it. Of each group
 * of administrators, role and environment below, one holder stays, the *kept* one. A plan can remove all others, in any combination.
 *
 * Rule: `docs/plan.md#the-last-administrator`.
 */
import { type AnalysisContext, type EdgeRef, environments, type Kept, ONCE, type Once } from '@clew/analysis';
import {
  type AttackGraph,
  edgeKey,
  encodeText,
  hasKind,
  objectIdOf,
  textEndsWith,
  textStartsWith,
} from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind } from '@clew/model';
import { misplacedAs } from './misplaced.ts';
import type { Repair } from './repair.ts';

/** Domain Admins, Enterprise Admins, and Administrators of a domain. */
const GROUPS = ['-512', '-519', '-S-1-5-32-544'].map(encodeText);
/** Global Administrator; the tenant follows in the id. */
const GLOBAL_ADMINISTRATOR = encodeText('62E90394-69F5-4237-9190-012177145E10@');

/** An object that someone has to administer. */
interface Administered {
  readonly node: number;
  /** Kinds of relations that lead to an administrator; those of a later set are followed only if the sets before lead to no one. */
  readonly sets: readonly ReadonlySet<number>[];
}

const kindsOf = (...names: readonly EdgeKindName[]): ReadonlySet<number> =>
  new Set(names.map((name) => EdgeKind[name]));

const IN_GROUPS = [kindsOf('MemberOf')];
/** An eligible holder can activate the role, and counts if no holder is active. */
const IN_ROLES = [kindsOf('AZHasRole', 'AZMemberOf'), kindsOf('AZHasRole', 'AZMemberOf', 'AZRoleEligible')];
const ON_SUBSCRIPTIONS = [kindsOf('AZOwner', 'AZMemberOf')];

interface LastAdministrators {
  /** Objects that the kept holders administer, by relation. */
  readonly kept: ReadonlyMap<string, Administered>;
  /** Ends of these relations. */
  readonly ends: ReadonlySet<number>;
}

const KEPT: Kept<Once, LastAdministrators> = { name: 'relations of the last administrators' };

const lastAdministrators = (context: AnalysisContext): LastAdministrators =>
  context.memory.use(KEPT, ONCE, () => {
    const kept = new Map<string, Administered>();
    const ends = new Set<number>();
    for (const one of administeredIn(context))
      for (const edge of wayOfAdministrator(context, one) ?? [])
        for (const source of [edge, ...sourcesOf(context, edge), ...ofTenant(context, edge, one)]) {
          kept.set(edgeKey(source), one);
          ends.add(source.end);
        }
    return { kept, ends };
  });

/** Whether a plan must not make the change, because it would remove the kept administrator of an environment. */
export function removesKeptAdministrator(context: AnalysisContext, repair: Repair): boolean {
  const { kept, ends } = lastAdministrators(context);
  // Most of the millions of repairs remove one relation, and none that is kept.
  if (repair.edge !== undefined) return ends.has(repair.edge.end) && kept.has(edgeKey(repair.edge));
  return repair.change.removed.some((edge) => kept.has(edgeKey(edge)));
}

/** @returns the object that no one administers after the change; undefined if an administrator stays */
export function withoutAdministrator(context: AnalysisContext, { change }: Repair): number | undefined {
  const { kept } = lastAdministrators(context);
  const concerned = new Set(change.removed.flatMap((edge) => kept.get(edgeKey(edge)) ?? []));
  if (concerned.size === 0) return undefined;
  const removed = new Set(change.removed.map(edgeKey));
  return [...concerned].find((one) => wayOfAdministrator(context, one, removed) === undefined)?.node;
}

function administeredIn(context: AnalysisContext): Administered[] {
  const { graph } = context;
  const { objectIds, declared } = graph;
  const found: Administered[] = [];
  for (const node of context.nodesOf('Group'))
    if (GROUPS.some((end) => textEndsWith(objectIds, node, end))) found.push({ node, sets: IN_GROUPS });
  for (const node of context.nodesOf('AZRole'))
    if (textStartsWith(objectIds, node, GLOBAL_ADMINISTRATOR)) found.push({ node, sets: IN_ROLES });
  for (const node of context.nodesOf('AZSubscription')) found.push({ node, sets: ON_SUBSCRIPTIONS });
  const sets = setsByEffort(graph);
  for (const node of context.use(environments).nodes)
    if (declared.environments.some(({ kind }) => hasKind(graph, node, kind))) found.push({ node, sets });
  return found;
}

/** Administrators of another platform need no effort; a step with an effort is an attack, and counts only if there is no other way. */
function setsByEffort({ declared }: AttackGraph): ReadonlySet<number>[] {
  const efforts = [...new Set(declared.steps.map(({ effort }) => effort))].sort((a, b) => a - b);
  return efforts.map(
    (most) =>
      new Set([
        ...kindsOf('MemberOf', 'AZMemberOf'),
        ...declared.steps.filter(({ effort }) => effort <= most).map(({ kind }) => kind),
      ]),
  );
}

/** The relations behind a relation that a definition derives: it ends when one of each match ends. */
const sourcesOf = (context: AnalysisContext, edge: EdgeRef): readonly EdgeRef[] =>
  context.options.matches?.of(context.graph, edge)?.[0] ?? [];

/** Holders of the role also have a derived relation with their tenant. */
function ofTenant(context: AnalysisContext, { start }: EdgeRef, { node }: Administered): EdgeRef[] {
  if (!context.nodesOf('AZRole').has(node)) return [];
  const { of, nodes } = context.use(environments);
  const tenant = nodes[of[node]];
  return tenant === undefined ? [] : [{ start, kind: EdgeKind.AZGlobalAdmin, end: tenant }];
}

interface Candidate {
  readonly node: number;
  /** Position in this order: people, then accounts that do not belong in Tier Zero, then applications. */
  readonly rank: number;
}

/** @returns the relations from the best administrator to the object; undefined if no enabled one is known */
function wayOfAdministrator(
  context: AnalysisContext,
  { node, sets }: Administered,
  removed: ReadonlySet<string> = new Set(),
): EdgeRef[] | undefined {
  for (const kinds of sets) {
    const found = nearestAdministrator(context, node, kinds, removed);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nearestAdministrator(
  context: AnalysisContext,
  target: number,
  followed: ReadonlySet<number>,
  removed: ReadonlySet<string>,
): EdgeRef[] | undefined {
  const { offsets, neighbors, kinds, flags } = context.graph.in;
  const next = new Map<number, EdgeRef | undefined>([[target, undefined]]);
  let level = [target];
  let best: Candidate | undefined;
  while (level.length > 0) {
    const above: number[] = [];
    const found: Candidate[] = [];
    for (const end of level)
      for (let at = offsets[end]; at < offsets[end + 1]; at++) {
        const edge = { start: neighbors[at], kind: kinds[at], end };
        if (!followed.has(edge.kind) || next.has(edge.start) || isAtLogon(edge.kind, flags[at])) continue;
        if (removed.size > 0 && removed.has(edgeKey(edge))) continue;
        next.set(edge.start, edge);
        if (!isAccount(context, edge.start)) above.push(edge.start);
        else if (context.properties.flag('enabled', edge.start) !== false)
          found.push({ node: edge.start, rank: rankOf(context, edge.start) });
      }
    const first = bestOf(context.graph, found);
    if (first !== undefined && (best === undefined || first.rank < best.rank)) best = first;
    if (best?.rank === 0) break;
    level = above;
  }
  return best && wayFrom(best.node, next);
}

const isAtLogon = (kind: number, flags: number): boolean =>
  kind === EdgeKind.MemberOf && (flags & EdgeFlag.Derived) !== 0;

function wayFrom(start: number, next: ReadonlyMap<number, EdgeRef | undefined>): EdgeRef[] {
  const way: EdgeRef[] = [];
  for (let edge = next.get(start); edge !== undefined; edge = next.get(edge.end)) way.push(edge);
  return way;
}

/** Whether the object signs in: paths do not go on to those who control it. */
function isAccount({ graph }: AnalysisContext, node: number): boolean {
  const { declared } = graph;
  return (
    ACCOUNTS.some((kind) => hasKind(graph, node, kind)) ||
    declared.environments.some(({ principals }) => principals.some((kind) => hasKind(graph, node, kind)))
  );
}

const ACCOUNTS = [NodeKind.User, NodeKind.Computer, NodeKind.AZUser, NodeKind.AZServicePrincipal];
const NO_PERSON = [NodeKind.Computer, NodeKind.AZServicePrincipal];

function rankOf(context: AnalysisContext, node: number): number {
  if (NO_PERSON.some((kind) => hasKind(context.graph, node, kind))) return 2;
  return misplacedAs(context, node) === undefined ? 0 : 1;
}

/** Prefers the candidate that fewest others control, then the first by id, so that two plans keep the same one. */
function bestOf(graph: AttackGraph, found: readonly Candidate[]): Candidate | undefined {
  const { offsets } = graph.in;
  const doors = (node: number): number => offsets[node + 1] - offsets[node];
  return [...found].sort(
    (a, b) =>
      a.rank - b.rank ||
      doors(a.node) - doors(b.node) ||
      (objectIdOf(graph, a.node) < objectIdOf(graph, b.node) ? -1 : 1),
  )[0];
}
