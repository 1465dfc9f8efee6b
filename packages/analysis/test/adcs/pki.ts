/**
 * A small public key infrastructure for tests: one forest with one active CA that publishes one template, as in
 * the baseline of the worked cases (`docs/rules.md#worked-cases`), and ways to change it.
 */

import { EdgeList, type JsonObject, type JsonValue, withEdges } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph } from '@clew/graph/testing';
import type { EdgeKindName, NodeKindName, RulesMode } from '@clew/model';
import { EdgeFlag, EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import { Oid } from '../../src/adcs/certTemplates.ts';
import type { AnalysisContext, AnalysisInput, AuthorityAnswer } from '../../src/analysisContext.ts';
import { type AnalysisResult, analyze, compose } from '../../src/analyze.ts';
import { defaultFeatures } from '../../src/features.ts';
import { RULES } from '../../src/rules.ts';
import { Observation } from '../observedContext.ts';
import { edgesByWays } from '../wayEdges.ts';
import type { PlainWorld } from './naiveRules.ts';

const SID = 'S-1-5-21-1';
const OTHER_SID = 'S-1-5-21-2';

/** Short names of objects whose ids the rules look at. */
const IDS: Readonly<Record<string, string>> = {
  D: SID,
  D2: OTHER_SID,
  AU: 'CORP.LOCAL-S-1-5-11',
  EV: 'CORP.LOCAL-S-1-1-0',
  AU2: 'OTHER.LOCAL-S-1-5-11',
  DU: `${SID}-513`,
  DC: `${SID}-515`,
  PU: `${SID}-525`,
};
const NAMES = new Map(Object.entries(IDS).map(([name, id]) => [id, name]));

const VERBS: Readonly<Record<string, EdgeKindName>> = { en: 'Enroll', in: 'MemberOf' };

export const TEMPLATE: JsonObject = {
  domainsid: SID,
  schemaversion: 2,
  authorizedsignatures: 0,
  requiresmanagerapproval: false,
  authenticationenabled: true,
  schannelauthenticationenabled: true,
  effectiveekus: [Oid.clientAuthentication],
  applicationpolicies: [],
  enrolleesuppliessubject: false,
  nosecurityextension: false,
  subjectaltrequireupn: false,
  subjectaltrequirespn: false,
  subjectaltrequiredns: false,
  subjectaltrequiredomaindns: false,
  certificatepolicy: [],
};

export const SAN_FLAG = { isuserspecifiessanenabledcollected: true, isuserspecifiessanenabled: true };

export class Pki {
  readonly #nodes = new Map<string, { kind: NodeKindName; props: Record<string, JsonValue> }>();
  readonly #edges = new Map<string, TestEdge>();

  constructor() {
    this.add('D', 'Domain', { collected: true, functionallevel: '2016', domainsid: SID });
    for (const group of ['AU', 'EV', 'DU', 'DC']) this.add(group, 'Group', { domainsid: SID });
    this.add('R', 'RootCA', { certthumbprint: 'r1', certchain: ['r1'] });
    this.add('N', 'NTAuthStore', { certthumbprints: ['t1'] });
    this.add('C', 'EnterpriseCA', { certthumbprint: 't1', certchain: ['t1', 'r1'], domainsid: SID });
    this.add('H', 'Computer', { enabled: true, domainsid: SID });
    this.add('T', 'CertTemplate', TEMPLATE);
    this.facts('DU in AU', 'DC in AU', 'AU in EV', 'R RootCAFor D', 'N NTAuthStoreFor D');
    this.facts('H HostsCAService C', 'T PublishedTo C');
  }

  add(name: string, kind: NodeKindName, props: JsonObject = {}): this {
    this.#nodes.set(name, { kind, props: { ...props } });
    return this;
  }

  /** Changes properties; `null` takes one away. */
  set(name: string, props: JsonObject): this {
    const node = this.#nodes.get(name) ?? this.#addPrincipal(name);
    for (const [key, value] of Object.entries(props)) {
      if (value === null) delete node.props[key];
      else node.props[key] = value;
    }
    return this;
  }

  /** @param facts each `start KIND end`; `en` is Enroll, `in` MemberOf. Unknown names become principals of D. */
  facts(...facts: readonly string[]): this {
    for (const fact of facts) {
      const [start, verb, end] = fact.split(' ');
      for (const name of [start, end]) if (!this.#nodes.has(name)) this.#addPrincipal(name);
      this.#edges.set(fact, [idOf(start), EdgeKind[VERBS[verb] ?? (verb as EdgeKindName)], idOf(end)]);
    }
    return this;
  }

  /** Says of memberships that no one can leave these groups, as of primary ones. */
  fixed(...groups: readonly string[]): this {
    for (const [fact, [start, kind, end]] of this.#edges)
      if (kind === EdgeKind.MemberOf && groups.includes(nameOf(end)))
        this.#edges.set(fact, [start, kind, end, EdgeFlag.PrimaryGroup]);
    return this;
  }

  without(...facts: readonly string[]): this {
    for (const fact of facts) if (!this.#edges.delete(fact)) throw new Error(`${fact} was not a fact`);
    return this;
  }

  /** A domain of another forest. */
  otherForest(): this {
    return this.add('D2', 'Domain', { domainsid: OTHER_SID });
  }

  /** A domain controller of the domain. */
  controller(name: string, domain: string, props: JsonObject): this {
    return this.add(name, 'Computer', { domainsid: idOf(domain), ...props }).facts(`${name} DCFor ${domain}`);
  }

  /** @param order permutation of nodes and edges, which must not matter */
  build(order: <Item>(items: Item[]) => Item[] = (items) => items): TestGraph {
    return graphOf({
      nodes: order(
        [...this.#nodes].map(([name, { kind, props }]) => ({
          id: idOf(name),
          kinds: [NodeKind.Base, NodeKind[kind]],
          props,
        })),
      ),
      edges: order([...this.#edges.values()]),
    });
  }

  /** @returns the same facts by name, for the slow twin. */
  plain(): PlainWorld {
    const edges = [...this.#edges.values()].map(
      ([start, kind, end]) => [nameOf(start), edgeKindById(kind)!.name, nameOf(end)] as const,
    );
    return { nodes: this.#nodes, edges };
  }

  /** Lower case for users (`c...` computers), upper case for groups. */
  #addPrincipal(name: string): { props: Record<string, JsonValue> } {
    const accountKind = name.startsWith('c') ? 'Computer' : 'User';
    this.add(name, name === name.toLowerCase() ? accountKind : 'Group', { domainsid: SID });
    return this.#nodes.get(name)!;
  }
}

function idOf(name: string): string {
  return IDS[name] ?? name;
}

function nameOf(id: string): string {
  return NAMES.get(id) ?? id;
}

const ON = defaultFeatures();

/** Records the reads of rules in the worlds of this test file. */
export const OBSERVATION = new Observation();

export function inputOf(world: TestGraph, rules: RulesMode = 'clean'): AnalysisInput {
  const { graph, properties, edgeProperties } = world;
  return { graph, properties, edgeProperties, options: { rules, features: ON } };
}

/** @returns the answer that these authorities have the update of November 2024 */
export const answered = (...authorities: readonly string[]): ReadonlyMap<string, AuthorityAnswer> =>
  new Map(authorities.map((id) => [id, { name: id, by: 'Ann', at: '2026-11-28T10:00:00Z' }]));

/** @returns all derived edges as `KIND start end`, and the warnings of the analysis. */
export function derive(
  world: TestGraph,
  rules: RulesMode = 'clean',
  updatedAuthorities?: ReadonlyMap<string, AuthorityAnswer>,
) {
  const { options, ...input } = inputOf(world, rules);
  const context = OBSERVATION.contextOf({
    ...input,
    options: { ...options, ...(updatedAuthorities && { updatedAuthorities }) },
  });
  const result = analyze(context, RULES);
  const failed = result.perRule.filter(({ status }) => status === 'failed');
  if (failed.length > 0) throw failed[0].error;
  const { derived, byWays } = edgesByWays(context, RULES, result.edges);
  if (derived.join() !== byWays.join())
    throw new Error('the ways of the rules are not the edges they derive');
  return { result, edges: describeEdges(world, edgesOf(result)) };
}

export function edgesOf({ edges }: AnalysisResult) {
  return Array.from(edges.starts, (start, at) => ({ start, kind: edges.kinds[at], end: edges.ends[at] }));
}

export function describeEdges(
  world: TestGraph,
  edges: readonly { start: number; kind: number; end: number }[],
): string[] {
  return edges
    .map(({ start, kind, end }) => {
      const [from, to] = world.ids([start, end]).map(nameOf);
      return `${edgeKindById(kind)?.name} ${from} ${to}`;
    })
    .sort();
}

/** @returns the facts with derived edges in the graph, as when an explanation is requested. */
export function published(
  world: TestGraph,
  result: AnalysisResult,
  rules: RulesMode = 'clean',
): AnalysisContext {
  const list = new EdgeList();
  list.appendChunk(result.edges);
  return OBSERVATION.contextOf({ ...inputOf(world, rules), graph: withEdges(world.graph, list) });
}

/** @returns the facts behind one derived edge, given as `KIND start end`. */
export function explain(world: TestGraph, facts: AnalysisInput | AnalysisContext, edge: string): string[] {
  const [kind, start, end] = edge.split(' ');
  const ref = {
    start: world.node(idOf(start)),
    kind: EdgeKind[kind as EdgeKindName],
    end: world.node(idOf(end)),
  };
  return describeEdges(world, compose(facts, ref, RULES).edges);
}
