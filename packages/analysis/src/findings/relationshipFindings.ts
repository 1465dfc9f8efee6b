/**
 * Relationship findings: edges that cross the boundary of a zone, or start at a group of nearly everyone. One pass over the edges. The
 * source is the holder of the right as collected or derived, never one of its members.
 *
 * Rule: `docs/findings.md#kinds`, `docs/findings.md#types` and `docs/findings.md#large-default-groups`.
 */
import { hasKind, type NodeSet, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { type Environments, environments, NO_ENVIRONMENT } from './environments.ts';
import type { FindingList, NewFinding } from './findingColumns.ts';
import {
  groupsOfEverybody,
  type LargeDefaultGroups,
  largeDefaultGroups,
  largeTenantGroups,
} from './largeGroups.ts';
import { type Boundary, FINDING_TYPES, type FindingType, findingTypesOf } from './types/index.ts';
import type { FindingZone, ZoneRanks } from './zoneRanks.ts';

/** Zone id of findings without a zone. */
export const HYGIENE_ZONE = 0;

export const RELATIONSHIP_READS: Reads = {
  edges: ['TrustedForNTAuth', 'AZMemberOf', 'HostsCAService'],
  shared: [environments, domains],
};

interface Edge {
  readonly source: number;
  readonly kind: number;
  readonly target: number;
}

/** @returns id of the zone for which the edge is a finding */
type BoundaryTest = (edge: Edge) => number | undefined;

/** Types by the edge kinds that they report. */
interface Reporter {
  readonly type: number;
  readonly test: BoundaryTest;
}

/** A finding, with all edge kinds between its ends that it represents. */
interface Crossing {
  readonly finding: NewFinding & { readonly source: number };
  readonly edgeKinds: Set<number>;
}

/**
 * @param only sources to examine; default all nodes. Findings of different sources are independent, except for those of large default
 * groups
 * @returns number of findings skipped because neither end belongs to an environment
 */
export function findRelationships(
  facts: AnalysisContext,
  ranks: ZoneRanks,
  optionalTypes: ReadonlySet<string>,
  findings: FindingList,
  only?: ReadonlySet<number>,
): number {
  const context = facts.readingFor('relationship findings', RELATIONSHIP_READS);
  const defaultGroups = largeDefaultGroups(context);
  const reporters = reportersByKind(context, boundaryTests(context, ranks), optionalTypes);
  const known = context.use(environments);
  const found: Crossing[] = [];
  const last: Crossing[] = [];
  const { offsets, neighbors, kinds, flags } = context.attackGraph.out;
  let homeless = 0;
  for (const source of only ?? nodesBelow(context.graph.nodeCount)) {
    for (let edge = offsets[source]; edge < offsets[source + 1]; edge++) {
      const reporting = reporters[kinds[edge]];
      const target = neighbors[edge];
      if (reporting === undefined || source === target) continue;
      for (const { type, test } of reporting) {
        const zone = test({ source, kind: kinds[edge], target });
        if (zone === undefined) continue;
        // Several kinds of one type between the same nodes are one finding, with the first kind.
        const before = last[type]?.finding;
        if (before?.source === source && before.target === target) {
          last[type].edgeKinds.add(kinds[edge]);
          continue;
        }
        const environment = environmentOf(known, source, target);
        const finding = {
          type,
          zone,
          source,
          edgeKind: kinds[edge],
          edgeFlags: flags[edge],
          target,
          environment,
        };
        last[type] = { finding, edgeKinds: new Set([kinds[edge]]) };
        if (environment === NO_ENVIRONMENT) homeless++;
        else found.push(last[type]);
      }
    }
  }
  for (const finding of withoutCovered(found, defaultGroups)) findings.add(finding);
  return homeless;
}

function* nodesBelow(count: number): Generator<number> {
  for (let node = 0; node < count; node++) yield node;
}

/** @returns the environment of the target; if unknown, that of the source */
function environmentOf({ of }: Environments, source: number, target: number): number {
  return of[target] === NO_ENVIRONMENT ? of[source] : of[target];
}

function reportersByKind(
  context: AnalysisContext,
  tests: Readonly<Record<Boundary, BoundaryTest>>,
  optionalTypes: ReadonlySet<string>,
): readonly (readonly Reporter[] | undefined)[] {
  const byKind: Reporter[][] = [];
  for (const [type, { id, ...traits }] of findingTypesOf(context.graph).entries()) {
    if (!isRelationship(traits) || (traits.optional === true && !optionalTypes.has(id))) continue;
    for (const edge of traits.edges) {
      byKind[EdgeKind[edge]] ??= [];
      byKind[EdgeKind[edge]].push({ type, test: tests[traits.boundary] });
    }
  }
  for (const { kind, reporter } of declaredReporters(context, tests.crossing)) {
    byKind[kind] ??= [];
    byKind[kind].push(reporter);
  }
  return byKind;
}

/** A type declared for one kind of environment applies to environments of that kind; a type for all applies where no other does. */
function declaredReporters(
  context: AnalysisContext,
  crossing: BoundaryTest,
): { readonly kind: number; readonly reporter: Reporter }[] {
  const { graph } = context;
  const known = context.use(environments);
  const isOfKind = ({ source, target }: Edge, kind: number | undefined): boolean => {
    const environment = environmentOf(known, source, target);
    return (
      kind === undefined || (environment !== NO_ENVIRONMENT && hasKind(graph, known.nodes[environment], kind))
    );
  };
  const { findings } = graph.declared;
  return findings.map(({ kind, environment }, at) => {
    const others = findings.filter((other) => other.kind === kind && other.environment !== undefined);
    const test: BoundaryTest = (edge) => {
      const isTold = environment === undefined && others.some((other) => isOfKind(edge, other.environment));
      return isTold || !isOfKind(edge, environment) ? undefined : crossing(edge);
    };
    return { kind, reporter: { type: FINDING_TYPES.length + at, test } };
  });
}

function isRelationship(
  traits: Omit<FindingType, 'id'>,
): traits is Extract<FindingType, { kind: 'relationship' }> {
  return traits.kind === 'relationship';
}

function boundaryTests(context: AnalysisContext, ranks: ZoneRanks): Readonly<Record<Boundary, BoundaryTest>> {
  const isLargeTenantGroup = largeTenantGroups(context);
  const entered = crossingTest(context, ranks);
  const ofEverybody = groupsOfEverybody(context);
  return {
    crossing: entered,
    uncertified: ({ source, target }) => {
      const zone = ranks.entered(source, target);
      // A certified object was already added to the zone, or does not control its members from above.
      return zone?.pending.has(source) ? zone.id : undefined;
    },
    forest: ({ source, kind, target }) => {
      // Within a forest, only the type for such trusts reports it.
      const crosses = kind === EdgeKind.SameForestTrust || !isOneForest(context, source, target);
      return crosses ? ranks.zoneOf(target)?.id : undefined;
    },
    'large-default-group': ({ source }) => (ofEverybody.has(source) ? HYGIENE_ZONE : undefined),
    'large-group': ({ source }) => (isLargeTenantGroup(source) ? HYGIENE_ZONE : undefined),
  };
}

function crossingTest(context: AnalysisContext, ranks: ZoneRanks): BoundaryTest {
  const authorities = logonAuthorities(context);
  return ({ source, kind, target }) => {
    if (isAsInstalled(context, { source, kind, target })) return undefined;
    const zone = ranks.entered(source, target);
    if (zone !== undefined) return zone.id;
    const isCaRight = kind === EdgeKind.ManageCA || kind === EdgeKind.ManageCertificates;
    return isCaRight ? enteredAuthority(ranks, authorities, source, target)?.id : undefined;
  };
}

const AUTHORITY_KINDS: ReadonlySet<number> = new Set([
  ...[EdgeKind.ManageCA, EdgeKind.ManageCertificates, EdgeKind.Owns, EdgeKind.GenericAll],
  ...[EdgeKind.WriteDacl, EdgeKind.WriteOwner],
]);

/**
 * Whether every computer and authority has this relationship by default: a computer's own built-in administrator, and its Administrators
 * group over the authority.
 */
function isAsInstalled(context: AnalysisContext, { source, kind, target }: Edge): boolean {
  const { graph } = context;
  if (kind === EdgeKind.AdminTo) return objectIdOf(graph, source) === `${objectIdOf(graph, target)}-500`;
  if (!AUTHORITY_KINDS.has(kind) || !context.nodesOf('EnterpriseCA').has(target)) return false;
  const id = objectIdOf(graph, source);
  return [...context.edges('HostsCAService').startsOf(target)].some(
    (host) => id === `${objectIdOf(graph, host)}-544`,
  );
}

/** A CA whose certificates are valid for logon is as critical as Tier Zero, even if no rule adds it. */
function enteredAuthority(
  ranks: ZoneRanks,
  authorities: NodeSet,
  source: number,
  target: number,
): FindingZone | undefined {
  const { tierZero } = ranks;
  if (tierZero?.analyzed !== true || ranks.rankOf[target] !== 0 || !authorities.has(target)) return undefined;
  return tierZero.members.has(source) ? undefined : tierZero;
}

function logonAuthorities(context: AnalysisContext): NodeSet {
  return context.edges('TrustedForNTAuth').startsOfAny(context.nodesOf('NTAuthStore'));
}

function isOneForest(context: AnalysisContext, a: number, b: number): boolean {
  const { nodes, of } = context.use(environments);
  const known = context.use(domains);
  const [first, second] = [nodes[of[a]], nodes[of[b]]];
  if (first === undefined || second === undefined) return false;
  return first === second || known.forestOf(first).has(second) || known.forestOf(second).has(first);
}

/**
 * Drops default groups if a larger one of the same environment holds the same rights; the larger one then names them. A right held only by
 * the smaller group remains a finding, because repairing that of the larger one would leave it in place.
 */
function withoutCovered(found: readonly Crossing[], groups: LargeDefaultGroups): readonly NewFinding[] {
  const broad = found.filter(({ finding }) => groups.all.has(finding.source));
  const rights = Map.groupBy(broad, ({ finding: { type, zone, target } }) => `${type} ${zone} ${target}`);
  const covered = new Set<NewFinding>();
  const alsoFrom = new Map<NewFinding, number[]>();
  for (const holders of rights.values()) {
    for (const { finding, edgeKinds } of holders) {
      const smaller = holders
        .filter((other) => groups.covers(finding.source, other.finding.source))
        .filter((other) => [...other.edgeKinds].every((kind) => edgeKinds.has(kind)))
        .map((other) => other.finding);
      for (const one of smaller) covered.add(one);
      if (smaller.length > 0) {
        alsoFrom.set(
          finding,
          smaller.map(({ source }) => source),
        );
      }
    }
  }
  return found
    .map(({ finding }) => finding)
    .filter((finding) => !covered.has(finding))
    .map((finding) => {
      const others = alsoFrom.get(finding);
      return others === undefined ? finding : { ...finding, alsoFrom: others };
    });
}
