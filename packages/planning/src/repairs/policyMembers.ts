/**
 * Members that group policies add to local groups. If such a member is removed from one computer, the policy restores it. The
 * repair therefore changes the policies of a unit or domain, which affects all computers in their scope.
 *
 * Rule: `docs/plan.md#members-from-policies`.
 */
import { type AnalysisContext, type EdgeRef, LocalGroup, type Reads, type Shared } from '@clew/analysis';
import {
  addTo,
  type EdgeProperties,
  findEdge,
  findNode,
  type JsonObject,
  NO_EDGE,
  NO_NODE,
  objectIdOf,
} from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';

/**
 * Property of a local group membership: object ids of the units and domains whose policies add it. No collector writes this property; it
 * lists the objects that reported the membership as a policy change.
 */
export const POLICY_UNITS = 'policyunits';

export const POLICY_MEMBER_READS: Reads = {
  edges: ['MemberOfLocalGroup'],
  edgeProperties: { MemberOfLocalGroup: [POLICY_UNITS] },
};

/** Records that policies of a unit or domain add a membership, in addition to other units that do. */
export function addPolicyUnit(
  properties: EdgeProperties,
  member: number,
  localGroup: number,
  unitId: string,
): void {
  const kind = EdgeKind.MemberOfLocalGroup;
  const known = idsIn(properties.get(member, kind, localGroup) ?? {});
  if (known.includes(unitId)) return;
  properties.set(member, kind, localGroup, { [POLICY_UNITS]: [...known, unitId] });
}

/** A member of the same local group on all computers in the scope of some policies. */
export interface PolicyMember {
  readonly member: number;
  /** Units and domains of the policies. Several if they share a computer: changing one alone would leave the member there. */
  readonly units: readonly number[];
  /** Last part of the object ids of the local groups, without the hyphen. */
  readonly relativeId: string;
  /** Edge kind that rules derive from the membership. */
  readonly gives: EdgeKindName | undefined;
  /** All memberships removed with it. */
  readonly edges: readonly EdgeRef[];
}

export interface PolicyMembers {
  /** @returns the policies behind a membership; undefined if no policy adds it */
  of(member: number, localGroup: number): PolicyMember | undefined;
  /** @param unit the first of the units */
  find(unit: number, member: number, gives: readonly string[]): PolicyMember | undefined;
}

const GIVES: Readonly<Record<string, EdgeKindName>> = {
  [LocalGroup.administrators]: 'AdminTo',
  [LocalGroup.remoteDesktopUsers]: 'CanRDP',
  [LocalGroup.distributedComUsers]: 'ExecuteDCOM',
  [LocalGroup.remoteManagementUsers]: 'CanPSRemote',
};

export const policyMembers: Shared<PolicyMembers> = {
  name: 'members from policies',
  reads: POLICY_MEMBER_READS,
  build: (context) => {
    const causes = findCauses(context);
    const ofEdge = new Map<number, PolicyMember>();
    const key = (member: number, group: number): number => member * context.graph.nodeCount + group;
    for (const cause of causes) for (const { start, end } of cause.edges) ofEdge.set(key(start, end), cause);
    return {
      of: (member, group) => ofEdge.get(key(member, group)),
      find: (unit, member, gives) =>
        causes.find(
          (cause) =>
            cause.units[0] === unit &&
            cause.member === member &&
            (cause.gives === undefined || gives.includes(cause.gives)),
        ),
    };
  },
};

interface Reported extends EdgeRef {
  readonly relativeId: string;
  readonly units: readonly number[];
}

function findCauses(context: AnalysisContext): PolicyMember[] {
  const byMember = new Map<string, Reported[]>();
  for (const reported of reportedByPolicies(context)) {
    const key = `${reported.start} ${reported.relativeId}`;
    addTo(byMember, key, reported);
  }
  return [...byMember.values()].flatMap(causesOfMember);
}

function reportedByPolicies({ graph, edgeProperties }: AnalysisContext): Reported[] {
  const found: Reported[] = [];
  const nodes = new Map<string, number>();
  const nodeOf = (id: string): number => {
    const known = nodes.get(id) ?? findNode(graph, id);
    nodes.set(id, known);
    return known;
  };
  edgeProperties.forEach((start, kind, end, properties) => {
    if (kind !== EdgeKind.MemberOfLocalGroup) return;
    const units = idsIn(properties)
      .map(nodeOf)
      .filter((node) => node !== NO_NODE);
    const relativeId = /-(\d+)$/.exec(objectIdOf(graph, end))?.[1];
    if (units.length === 0 || relativeId === undefined) return;
    if (findEdge(graph, start, kind, end) === NO_EDGE) return;
    found.push({ start, kind, end, units, relativeId });
  });
  return found;
}

const idsIn = ({ [POLICY_UNITS]: ids }: JsonObject): string[] =>
  Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];

/** Merges memberships of one principal in groups of one kind if their units share a computer. */
function causesOfMember(all: readonly Reported[]): PolicyMember[] {
  const first = new Map<number, number>();
  const rootOf = (unit: number): number => {
    let root = unit;
    for (let up = first.get(root); up !== undefined && up !== root; up = first.get(root)) root = up;
    return root;
  };
  for (const { units } of all) {
    const roots = units.map(rootOf);
    const least = Math.min(...roots);
    for (const node of [...roots, ...units]) first.set(node, least);
  }
  const byRoot = Map.groupBy(all, ({ units: [unit] }) => rootOf(unit));
  return [...byRoot.values()].map((own) => {
    const [{ start: member, relativeId }] = own;
    return {
      ...{ member, relativeId, gives: GIVES[`-${relativeId}`] },
      units: [...new Set(own.flatMap(({ units }) => units))].sort((a, b) => a - b),
      edges: own.map(({ start, kind, end }) => ({ start, kind, end })).sort((a, b) => a.end - b.end),
    };
  });
}
