/**
 * Collects the reasons of an escalation edge: who enrolls through which groups, which CA publishes the template, and why a domain accepts
 * the certificate.
 *
 * Rule: `docs/rules.md#how-the-rules-run` (composition parts).
 */
import { addTo, NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { type Composition, CompositionBuilder } from '../composition.ts';
import { membership } from '../directory/membership.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import { AUTHORITY_EDGES, type EnterpriseCa } from './certificateAuthorities.ts';
import { CA_ENROLLMENT, TEMPLATE_RIGHTS } from './enrollment.ts';

export class PkiSketch {
  readonly #context: AnalysisContext;
  readonly #builder = new CompositionBuilder();
  /** Parts already added: thousands of cases may share a few templates and CAs. */
  readonly #drawn = new Set<string>();

  constructor(context: AnalysisContext) {
    this.#context = context.readingFor('certificate sketch', SKETCH_READS);
  }

  /** Adds the edge if it exists. */
  addEdge(start: number, kind: EdgeKindName, end: number): void {
    if (this.#context.edges(kind).kindsBetween(start, end).length === 0) return;
    this.#builder.addEdge(start, EdgeKind[kind], end);
  }

  /**
   * Adds how the principals obtain a right on a node: the edges of the right and the memberships that lead to its holders. Rights of
   * special groups count too, because everybody is a member.
   */
  addRights(principals: readonly number[], rights: readonly EdgeKindName[], target: number): void {
    if (!this.#isNew(`rights ${rights.join()} of ${principals.join()} on ${target}`)) return;
    const { graph } = this.#context;
    const starts = NodeSet.of(graph.nodeCount, principals).or(this.#context.use(specialGroups).all);
    const identities = this.#context.use(membership).containersOf(starts);
    const holders = new Set<number>();
    this.#context.edges(...rights).into(target, (holder, kind) => {
      if (!identities.has(holder)) return;
      holders.add(holder);
      this.#builder.addEdge(holder, kind, target);
    });
    this.#addMemberships(identities, holders);
  }

  /** Adds a template, the CA that publishes it, and why the domain accepts its certificates. */
  addIssuance(template: number, ca: EnterpriseCa, domain: number): void {
    this.addEdge(template, 'PublishedTo', ca.node);
    if (!this.#isNew(`trust of ${domain} in ${ca.node}`)) return;
    this.addChain(ca.node, domain);
    this.addTrust(ca.node, domain);
    this.addHosts(ca);
  }

  /** Adds how the principals may enroll at the CA. */
  addCaEnrollment(principals: readonly number[], ca: EnterpriseCa): void {
    this.addRights(principals, CA_ENROLLMENT, ca.node);
  }

  /** Adds the certificates between the CA and the roots of the domain. */
  addChain(ca: number, domain: number): void {
    const issuers = this.#context.edges('IssuedSignedBy', 'EnterpriseCAFor');
    const roots = this.#context.edges('RootCAFor').startsOf(domain).and(this.#context.nodesOf('RootCA'));
    const between = this.#context.nodesOf('EnterpriseCA').or(this.#context.nodesOf('AIACA'));
    const steps: Step[] = [];
    const seen = new Set([ca]);
    for (const node of seen) {
      issuers.outOf(node, (issuer, kind) => {
        if (between.has(issuer)) seen.add(issuer);
        if (between.has(issuer) || roots.has(issuer)) steps.push({ start: node, kind, end: issuer });
      });
    }
    const reached = this.#addStepsTo(new Set(roots), steps);
    for (const root of roots) if (reached.has(root)) this.addEdge(root, 'RootCAFor', domain);
  }

  /** Adds the NTAuth stores of the domain that hold the CA. */
  addTrust(ca: number, domain: number): void {
    const stores = this.#context.edges('NTAuthStoreFor').startsOf(domain);
    for (const store of this.#context.edges('TrustedForNTAuth').endsOf(ca).and(stores)) {
      this.addEdge(ca, 'TrustedForNTAuth', store);
      this.addEdge(store, 'NTAuthStoreFor', domain);
    }
  }

  addHosts(ca: EnterpriseCa): void {
    for (const host of ca.hosts) this.addEdge(host, 'HostsCAService', ca.node);
  }

  /** Adds domain controllers and their domains. */
  addControllers(controllers: Iterable<number>): void {
    for (const controller of controllers) {
      this.#builder.addNode(controller);
      for (const domain of this.#context.edges('DCFor').endsOf(controller)) {
        this.addEdge(controller, 'DCFor', domain);
      }
    }
  }

  build(): Composition {
    return this.#builder.build();
  }

  #isNew(part: string): boolean {
    if (this.#drawn.has(part)) return false;
    this.#drawn.add(part);
    return true;
  }

  /** Adds membership edges within `identities` that lie on a path to a holder. */
  #addMemberships(identities: NodeSet, holders: ReadonlySet<number>): void {
    const memberships = this.#context.edges('MemberOf', 'MemberOfLocalGroup');
    const steps: Step[] = [];
    for (const start of identities) {
      memberships.outOf(start, (end, kind) => steps.push({ start, kind, end }));
    }
    this.#addStepsTo(holders, steps);
  }

  /** Adds the steps that lie on a path to a goal. @returns the ends of the added steps */
  #addStepsTo(goals: ReadonlySet<number>, steps: readonly Step[]): Set<number> {
    const byEnd = new Map<number, Step[]>();
    for (const step of steps) {
      addTo(byEnd, step.end, step);
    }
    const leading = new Set(goals);
    const drawn = new Set<number>();
    for (const node of leading) {
      for (const { start, kind, end } of byEnd.get(node) ?? []) {
        this.#builder.addEdge(start, kind, end);
        drawn.add(start).add(end);
        leading.add(start);
      }
    }
    return drawn;
  }
}

interface Step {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

/** Explanations run after all edges are derived, so these reads do not affect the order of rules. */
export const SKETCH_READS: Reads = {
  edges: [
    ...AUTHORITY_EDGES,
    'DCFor',
    'EnrollOnBehalfOf',
    'DelegatedEnrollmentAgent',
    'ExtendedByPolicy',
    'OIDGroupLink',
    'Contains',
    'MemberOf',
    'MemberOfLocalGroup',
    ...TEMPLATE_RIGHTS,
  ],
  shared: [membership, specialGroups],
};
