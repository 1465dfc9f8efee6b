/**
 * A small domain built from sentences, for tests of prices: returns the price of removing a relation or changing a setting.
 * Readers may read only declared facts.
 */

import { AnalysisContext, defaultOptions, type SettingName } from '@clew/analysis';
import { Observation } from '@clew/analysis/testing';
import type { JsonObject } from '@clew/graph';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { type PriceInput, Prices } from '../../../src/packages/prices/prices.ts';
import type { Price } from '../../../src/packages/prices/reasons.ts';
import type { Repair } from '../../../src/repairs/repair.ts';
import { DEFAULT_COSTS } from '../../../src/repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from '../../../src/repairs/repairs.ts';

export const SID = 'S-1-5-21-1-2-3';

export class PricedWorld {
  readonly #nodes = new Map<string, { kind: NodeKindName; props: JsonObject; name: string }>();
  readonly #edges: TestEdge[] = [];
  readonly #zone = new Set<string>();

  constructor() {
    this.add('Domain', { collected: true }, SID);
  }

  /** Adds objects of the domain, named like their ids. */
  add(kind: NodeKindName, props: JsonObject, ...ids: readonly string[]): this {
    for (const id of ids) this.#nodes.set(id, { kind, props: { domainsid: SID, ...props }, name: id });
    return this;
  }

  users(...ids: readonly string[]): this {
    return this.add('User', { enabled: true }, ...ids);
  }

  groups(...ids: readonly string[]): this {
    return this.add('Group', {}, ...ids);
  }

  /** Servers in a unit, each with its Administrators (-544) and Remote Desktop Users (-555). */
  hosts(unit: string, ...ids: readonly string[]): this {
    this.add('OU', {}, unit).add(
      'Computer',
      { operatingsystem: 'Windows Server 2022', enabled: true },
      ...ids,
    );
    for (const id of ids) {
      this.add('ADLocalGroup', {}, `${id}-544`, `${id}-555`);
      this.facts(
        `${unit} Contains ${id}`,
        `${id}-544 LocalToComputer ${id}`,
        `${id}-555 LocalToComputer ${id}`,
      );
    }
    return this;
  }

  /** Adds a group with new users. */
  filled(group: string, count: number): this {
    const members = Array.from({ length: count }, (_, at) => `${group}-u${at}`);
    return this.groups(group)
      .users(...members)
      .facts(...members.map((user) => `${user} MemberOf ${group}`));
  }

  /** Adds relations `START KIND END`; a tilde after the kind marks inherited ones. */
  facts(...facts: readonly string[]): this {
    for (const fact of facts) {
      const [start, kind, end] = fact.split(' ') as [string, string, string];
      const isInherited = kind.endsWith('~');
      const name = (isInherited ? kind.slice(0, -1) : kind) as EdgeKindName;
      this.#edges.push([start, EdgeKind[name], end, isInherited ? EdgeFlag.Inherited : 0]);
    }
    return this;
  }

  zone(...ids: readonly string[]): this {
    for (const id of ids) this.#zone.add(id);
    return this;
  }

  /** Removes the names, and nothing else. */
  withoutNames(): this {
    let number = 0;
    for (const node of this.#nodes.values()) node.name = `X${number++}`;
    return this;
  }

  /** Gives an object a name that differs from its id. */
  named(id: string, name: string): this {
    (this.#nodes.get(id) as { name: string }).name = name;
    return this;
  }

  /** Adds objects that no collection describes. */
  unnamed(...ids: readonly string[]): this {
    for (const id of ids) (this.#nodes.get(id) as { name: string }).name = '';
    return this;
  }

  build(): Built {
    const test = graphOf({
      nodes: [...this.#nodes].map(([id, { kind, props, name }]) => ({
        ...{ id, name, props, environment: SID },
        kinds: [NodeKind.Base, NodeKind[kind]],
      })),
      edges: this.#edges,
    });
    return new Built(test, NodeSet.of(test.graph.nodeCount, [...this.#zone].map(test.node)));
  }
}

export class Built {
  readonly context: AnalysisContext;
  readonly test: TestGraph;
  readonly zone: NodeSet;

  constructor(test: TestGraph, zone: NodeSet) {
    this.test = test;
    this.zone = zone;
    this.context = new Observation().contextOf({ ...test, options: defaultOptions() });
  }

  /** @param fact a relation, or a setting and its object */
  repair(fact: string): Repair {
    const catalog = new RepairCatalog(
      new AnalysisContext({ ...this.test, options: defaultOptions() }),
      ruleKinds(),
      this.zone,
    );
    const [start, kind, end] = fact.split(' ') as [string, string, string | undefined];
    const { node } = this.test;
    const place =
      end === undefined
        ? catalog.ofNeed({ setting: start as SettingName, node: node(kind) })
        : catalog.ofEdge({ start: node(start), kind: EdgeKind[kind as EdgeKindName], end: node(end) }, 0);
    if (place === undefined) throw new Error(`nothing changes ${fact}`);
    return catalog.repairs[place];
  }

  price(fact: string, input: Partial<PriceInput> = {}): Price {
    return new Prices(this.context, { costs: DEFAULT_COSTS, zone: this.zone, ...input }).of(
      this.repair(fact),
    );
  }

  reason(fact: string): string {
    return this.price(fact).reason;
  }
}
