/**
 * Finds the principals that may enroll: the holders of rights on templates and CAs, and which of them can use a template.
 *
 * Rule: `docs/rules.md#certificate-services` and `docs/rules.md#which-principal-gets-an-edge-that-needs-several-rights`.
 */
import { getOrMake, type NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { membership } from '../directory/membership.ts';
import { type PrincipalSet, principalSets } from '../directory/principalSets.ts';
import type { HeldRight } from '../ways.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { type CertTemplate, suitsUsersWithoutDnsName } from './certTemplates.ts';

/** Rights on a template that allow enrollment. */
export const TEMPLATE_ENROLLMENT = ['Enroll', 'GenericAll', 'AllExtendedRights'] as const;

/** Rights on a template that rules read. */
export const TEMPLATE_RIGHTS = [
  ...TEMPLATE_ENROLLMENT,
  'GenericWrite',
  'Owns',
  'WriteDacl',
  'WriteOwner',
  'WritePKINameFlag',
  'WritePKIEnrollmentFlag',
] as const satisfies readonly EdgeKindName[];

/** The CA's own access list decides; full control of its directory object does not allow enrollment. */
export const CA_ENROLLMENT = ['Enroll'] as const;

/** Direct holders of rights on a node, without group members, so that changes of memberships do not affect them. */
class RightHolders {
  readonly #context: AnalysisContext;
  readonly #holders = new Map<string, NodeSet>();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns AD principals with a direct edge of one of the kinds to the node */
  of(node: number, rights: readonly EdgeKindName[]): NodeSet {
    const key = `${node} ${rights.join()}`;
    return getOrMake(this.#holders, key, () =>
      this.#context
        .edges(...rights)
        .startsOf(node)
        .and(this.#context.nodesOf('Base')),
    );
  }
}

const rightHolders: Shared<RightHolders> = {
  name: 'holders of rights on templates and authorities',
  reads: { edges: [...TEMPLATE_RIGHTS, 'DelegatedEnrollmentAgent'] },
  build: (context) => new RightHolders(context),
};

export class Enrollment {
  readonly #context: AnalysisContext;
  readonly #holders = new Map<string, PrincipalSet>();
  /** Memo of the groups of the last principal. */
  #identities: { readonly principal: number; readonly nodes: NodeSet } | undefined;

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns AD principals with a direct edge of one of the kinds to the node */
  holdersOf(node: number, rights: readonly EdgeKindName[]): PrincipalSet {
    const key = `${node} ${rights.join()}`;
    return getOrMake(this.#holders, key, () =>
      this.#context.use(principalSets).of(this.#context.use(rightHolders).of(node, rights)),
    );
  }

  /** Enr(T) */
  ofTemplate(template: CertTemplate): PrincipalSet {
    return this.holdersOf(template.node, TEMPLATE_ENROLLMENT);
  }

  /** Enr(C) */
  ofCa(ca: EnterpriseCa): PrincipalSet {
    return this.holdersOf(ca.node, CA_ENROLLMENT);
  }

  /** @param everybody whether a group that contains everybody counts at any depth, or only as a direct member */
  rightOn(
    node: number,
    kinds: readonly EdgeKindName[],
    everybody: 'nested' | 'direct' = 'nested',
  ): HeldRight {
    return { kinds, node, everybody, among: this.#context.nodesOf('Base') };
  }

  /**
   * A cheap test before `cover`, for explanations.
   * @returns false only if the principal certainly has no edge that requires all of these rights
   */
  mayCarry(principal: number, sets: readonly PrincipalSet[]): boolean {
    if (this.#identities?.principal !== principal) {
      const nodes = this.#context.use(membership).containersOf([principal]);
      this.#identities = { principal, nodes };
    }
    const { nodes } = this.#identities;
    return sets.every((set) => set.isUniversal || set.direct.intersects(nodes));
  }

  /** X(...): the principals that get an edge that requires all of these rights. */
  cover(...sets: readonly PrincipalSet[]): NodeSet {
    // The public product used toggling here until 2026.
    const mode = this.#context.options.rules === 'clean' ? 'outer' : 'ascending';
    return this.#context.use(principalSets).cover(sets, mode);
  }
}

export const enrollment: Shared<Enrollment> = {
  name: 'enrollment',
  reads: { shared: [membership, principalSets, rightHolders] },
  build: (context) => new Enrollment(context),
};

/** User accounts without their own DNS name; managed service accounts have one. */
export const usersWithoutDnsName: Shared<NodeSet> = {
  name: 'users without a DNS name',
  reads: { nodeProperties: ['gmsa', 'msa'] },
  build: (context) => {
    const { properties } = context;
    const users = context.nodesOf('User');
    return users.filter(
      (user) => properties.flag('gmsa', user) !== true && properties.flag('msa', user) !== true,
    );
  },
};

/**
 * DnsFilter(S, T): an ordinary user cannot enroll if the template requires a DNS name. Groups always stay, even if all their members are
 * ordinary users. @returns the principals that cannot enroll; undefined if everyone can
 */
export function withoutDnsNameFor(context: AnalysisContext, template: CertTemplate): NodeSet | undefined {
  return suitsUsersWithoutDnsName(template) ? undefined : context.use(usersWithoutDnsName);
}
