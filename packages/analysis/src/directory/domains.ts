/**
 * Domains and forests. A forest is a domain with all domains that reach it through trusts inside the forest; trusts between forests never
 * extend one.
 *
 * Rule: `docs/rules.md#domains-and-forests`.
 */
import { getOrMake, NO_NODE, type NodeSet, objectIdOf, reachableNodes } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';

export class Domains {
  readonly nodes: NodeSet;
  readonly collected: NodeSet;
  readonly #context: AnalysisContext;
  readonly #bySid = new Map<string, number>();
  readonly #forests = new Map<number, NodeSet>();

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.nodes = context.nodesOf('Domain');
    this.collected = this.nodes.filter((node) => context.properties.flag('collected', node) === true);
    this.nodes.forEach((node) => {
      const sid = this.sidOf(node);
      if (!this.#bySid.has(sid)) this.#bySid.set(sid, node);
    });
  }

  /** @returns the domain's SID; a domain known only from a trust may lack the property, but its object id is the SID */
  sidOf(domain: number): string {
    return this.#context.properties.text('domainsid', domain) ?? objectIdOf(this.#context.graph, domain);
  }

  /** @returns the domain with this SID, or `NO_NODE` */
  bySid(sid: string | undefined): number {
    return sid === undefined ? NO_NODE : (this.#bySid.get(sid) ?? NO_NODE);
  }

  /** @returns the domain in the node's `domainsid`, or `NO_NODE` */
  of(node: number): number {
    return this.bySid(this.#context.properties.text('domainsid', node));
  }

  /** @returns the domain and all domains of its forest */
  forestOf(domain: number): NodeSet {
    return getOrMake(this.#forests, domain, () => {
      const filter = this.#context.edges('SameForestTrust').filter;
      return reachableNodes(this.#context.graph, [domain], { direction: 'in', filter }).and(this.nodes);
    });
  }
}

export const domains: Shared<Domains> = {
  name: 'domains',
  reads: { edges: ['SameForestTrust'], nodeProperties: ['collected', 'domainsid'] },
  build: (context) => new Domains(context),
};
