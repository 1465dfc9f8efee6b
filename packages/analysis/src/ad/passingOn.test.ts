import { changeEdges, reachableNodes } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { analyze, defaultOptions } from '../analyze.ts';
import { attackSteps } from '../findings/attackSteps.ts';
import { AD_RULES } from './rules.ts';

const D = 'S-1-5-21-1-2-3';
const UNITS = ['O1', 'O2', 'O3'];
const CONTAINERS = ['C1', 'C2'];
const POLICIES = ['P1', 'P2'];
const USERS = ['U1', 'U2', 'U3', 'U4'];
const GROUPS = ['G1', 'G2'];
/** The domain controller. */
const K = 'K';
/** No place contains one listed before it. */
const PLACES = [D, ...UNITS, ...CONTAINERS];
const OBJECTS = [...USERS, ...GROUPS, K];
const INSIDE = [...UNITS, ...CONTAINERS, ...OBJECTS];

const organizations = fc.record({
  contains: fc.uniqueArray(fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...INSIDE)), {
    maxLength: 18,
    selector: String,
  }),
  links: fc.uniqueArray(fc.tuple(fc.constantFrom(...POLICIES), fc.constantFrom(D, ...UNITS), fc.boolean()), {
    maxLength: 4,
    selector: ([policy, place]) => `${policy} ${place}`,
  }),
  rights: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(...USERS),
      fc.constantFrom(...PLACES.slice(1), ...POLICIES, ...USERS, ...GROUPS),
    ),
    { maxLength: 6, selector: String },
  ),
  blocking: fc.subarray(UNITS),
  protectedOnes: fc.subarray(INSIDE),
  disabled: fc.subarray([...USERS, K]),
});
type Organization = typeof organizations extends fc.Arbitrary<infer Value> ? Value : never;

const ordered = ({ contains }: Organization) =>
  contains.filter(
    ([above, below]) => [...PLACES, ...OBJECTS].indexOf(above) < [...PLACES, ...OBJECTS].indexOf(below),
  );

function walked(organization: Organization, start: string): string[] {
  const { links, rights, blocking, protectedOnes, disabled } = organization;
  const kindOf = (id: string): number => {
    if (id === D) return NodeKind.Domain;
    if (id.startsWith('O')) return NodeKind.OU;
    if (id.startsWith('C')) return NodeKind.Container;
    if (id.startsWith('G')) return NodeKind.Group;
    if (id === K) return NodeKind.Computer;
    return id.startsWith('P') ? NodeKind.GPO : NodeKind.User;
  };
  const world = graphOf({
    nodes: [...PLACES, ...POLICIES, ...OBJECTS].map((id) => ({
      ...{ id, kinds: [NodeKind.Base, kindOf(id)] },
      props: {
        ...{ domainsid: D, isaclprotected: protectedOnes.includes(id) },
        ...(id.startsWith('O') && { blocksinheritance: blocking.includes(id) }),
        ...([...USERS, K].includes(id) && { enabled: !disabled.includes(id) }),
      },
    })),
    edges: [
      [K, EdgeKind.DCFor, D] as const,
      ...ordered(organization).map(([above, below]) => [above, EdgeKind.Contains, below] as const),
      ...links.map(([policy, place, isEnforced]) => {
        return [policy, EdgeKind.GPLink, place, isEnforced ? EdgeFlag.Enforced : 0] as const;
      }),
      ...rights.map(([holder, object]) => [holder, EdgeKind.GenericAll, object] as const),
    ],
  });
  const input = {
    properties: world.properties,
    edgeProperties: world.edgeProperties,
    options: defaultOptions(),
  };
  const { edges } = analyze({ ...input, graph: world.graph }, AD_RULES);
  const added = Array.from(edges.starts, (from, at) => {
    return { start: from, kind: edges.kinds[at], end: edges.ends[at], flags: edges.flags[at] };
  });
  const { attackGraph } = new AnalysisContext({ ...input, graph: changeEdges(world.graph, { added }) });
  return world
    .ids(reachableNodes(attackGraph, [world.node(start)], { filter: attackSteps(attackGraph) }))
    .sort();
}

/** A slow twin that follows the words of the rule, one kind of control at a time. */
function told(organization: Organization, start: string): string[] {
  const { links, rights, blocking, protectedOnes, disabled } = organization;
  const below = (place: string): string[] =>
    ordered(organization).flatMap(([above, child]) => (above === place ? [child] : []));
  const allBelow = (place: string): string[] => below(place).flatMap((child) => [child, ...allBelow(child)]);
  const takesPolicies = (id: string): boolean => [...USERS, K].includes(id) && !disabled.includes(id);
  const underPolicy = (place: string): string[] =>
    below(place)
      .filter((child) => !blocking.includes(child))
      .flatMap((child) => [child, ...underPolicy(child)]);
  const hasNoPlace = (id: string): boolean => ordered(organization).every(([, child]) => child !== id);
  const controlled = new Set([start]);
  for (const node of controlled) {
    const next: string[] = [];
    if (node === K) next.push(D);
    if (node === D) next.push(...allBelow(D));
    if (node.startsWith('O')) next.push(...allBelow(node).filter(takesPolicies));
    if (/^[OC]/.test(node)) next.push(...below(node).filter((child) => !protectedOnes.includes(child)));
    for (const [policy, place, isEnforced] of links) {
      if (policy !== node) continue;
      next.push(...(isEnforced ? allBelow(place) : underPolicy(place)).filter(takesPolicies));
      // Its place is unknown, so it may be below.
      if (place === D && takesPolicies(K) && hasNoPlace(K)) next.push(D);
    }
    for (const [holder, object] of rights) if (holder === node) next.push(object);
    for (const one of next) controlled.add(one);
  }
  return [...controlled].sort();
}

/** A place that contains only accounts counts as these accounts. */
const withoutPlaces = (ids: readonly string[], start: string): string[] =>
  ids.filter((id) => id === start || ![...UNITS, ...CONTAINERS].includes(id));

describe('the control that is passed on', () => {
  it('equals the rule, walked over the graph', () => {
    fc.assert(
      fc.property(organizations, fc.constantFrom(...USERS, ...POLICIES, ...PLACES), (organization, start) => {
        const [found, expected] = [walked, told].map((tell) =>
          withoutPlaces(tell(organization, start), start),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});
