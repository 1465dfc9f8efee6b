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
/** No place contains one listed before it. */
const PLACES = [D, ...UNITS, ...CONTAINERS];
const INSIDE = [...UNITS, ...CONTAINERS, ...USERS];

const organizations = fc.record({
  contains: fc.uniqueArray(fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...INSIDE)), {
    maxLength: 14,
    selector: String,
  }),
  links: fc.uniqueArray(fc.tuple(fc.constantFrom(...POLICIES), fc.constantFrom(D, ...UNITS), fc.boolean()), {
    maxLength: 4,
    selector: ([policy, place]) => `${policy} ${place}`,
  }),
  rights: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...USERS), fc.constantFrom(...PLACES.slice(1), ...POLICIES, ...USERS)),
    { maxLength: 6, selector: String },
  ),
  blocking: fc.subarray(UNITS),
  protectedOnes: fc.subarray(INSIDE),
});
type Organization = typeof organizations extends fc.Arbitrary<infer Value> ? Value : never;

const ordered = ({ contains }: Organization) =>
  contains.filter(
    ([above, below]) => [...PLACES, ...USERS].indexOf(above) < [...PLACES, ...USERS].indexOf(below),
  );

function walked(organization: Organization, start: string): string[] {
  const { links, rights, blocking, protectedOnes } = organization;
  const kindOf = (id: string): number => {
    if (id === D) return NodeKind.Domain;
    if (id.startsWith('O')) return NodeKind.OU;
    if (id.startsWith('C')) return NodeKind.Container;
    return id.startsWith('P') ? NodeKind.GPO : NodeKind.User;
  };
  const world = graphOf({
    nodes: [...PLACES, ...POLICIES, ...USERS].map((id) => ({
      ...{ id, kinds: [NodeKind.Base, kindOf(id)] },
      props: {
        ...{ domainsid: D, isaclprotected: protectedOnes.includes(id) },
        ...(id.startsWith('O') && { blocksinheritance: blocking.includes(id) }),
      },
    })),
    edges: [
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

/** The same by the words of the rule, one kind of control after the other. */
function told(organization: Organization, start: string): string[] {
  const { links, rights, blocking, protectedOnes } = organization;
  const below = (place: string): string[] =>
    ordered(organization).flatMap(([above, child]) => (above === place ? [child] : []));
  const allBelow = (place: string): string[] => below(place).flatMap((child) => [child, ...allBelow(child)]);
  const hasBlockingBelow = (place: string): boolean =>
    allBelow(place).some((unit) => blocking.includes(unit));
  const underPolicy = (place: string): string[] =>
    below(place)
      .filter((child) => !blocking.includes(child))
      .flatMap((child) => [...(hasBlockingBelow(child) ? [] : [child]), ...underPolicy(child)]);
  const controlled = new Set([start]);
  for (const node of controlled) {
    const next: string[] = [];
    if (node === D || node.startsWith('O')) next.push(...allBelow(node));
    if (node.startsWith('C')) next.push(...below(node).filter((child) => !protectedOnes.includes(child)));
    for (const [policy, place, isEnforced] of links) {
      if (policy !== node) continue;
      if (isEnforced || !hasBlockingBelow(place)) next.push(place);
      else next.push(...underPolicy(place));
    }
    for (const [holder, object] of rights) if (holder === node) next.push(object);
    for (const one of next) controlled.add(one);
  }
  return [...controlled].sort();
}

describe('the control that is passed on', () => {
  it('equals the rule, walked over the graph', () => {
    fc.assert(
      fc.property(organizations, fc.constantFrom(...USERS, ...POLICIES, ...PLACES), (organization, start) => {
        expect(walked(organization, start)).toEqual(told(organization, start));
      }),
      { numRuns: 150 },
    );
  });
});
