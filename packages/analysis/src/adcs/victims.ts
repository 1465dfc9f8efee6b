/**
 * Victims: principals that could enroll in a template at a CA, all of them and not a cover, because anyone who
 * controls one of them borrows its enrollment.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import { NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { membership } from '../directory/membership.ts';
import type { PrincipalSet } from '../directory/principalSets.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import { NodeSetCache } from '../nodeSetCache.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { type CertTemplate, suitsUsersWithoutDnsName } from './certTemplates.ts';
import { enrollment, usersWithoutDnsName } from './enrollment.ts';

/** Rights that let their holder change under which name a victim enrolls. */
export const CONTROL_OF_VICTIM = ['GenericAll', 'GenericWrite', 'Owns', 'WriteOwner', 'WriteDacl'] as const;

/** Which victims count: `enrollable`: a plain user only where no DNS name is required; `computers`; or `all`. */
export type VictimChoice = 'all' | 'enrollable' | 'computers';

export interface VictimSet {
  /** Equal keys of one run mean equal sets. */
  readonly key: string;
  /** No groups among them. */
  readonly nodes: NodeSet;
}

export class Victims {
  readonly #context: AnalysisContext;
  readonly #leaves = new NodeSetCache();
  readonly #sets = new NodeSetCache();
  readonly #controllers = new NodeSetCache();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns V(T, C), narrowed by the choice. */
  of(template: CertTemplate, ca: EnterpriseCa, choice: VictimChoice): VictimSet {
    const enrolled = this.#context.use(enrollment);
    const onTemplate = enrolled.ofTemplate(template);
    const onCa = enrolled.ofCa(ca);
    const narrowed = choice === 'enrollable' && suitsUsersWithoutDnsName(template) ? 'all' : choice;
    const key = `${onTemplate.id} ${onCa.id} ${narrowed}`;
    const nodes = this.#sets.get(key, () => this.#narrow(this.#victims(onTemplate, onCa), narrowed));
    return { key, nodes };
  }

  /** @returns Att(V) of the victims of all sets: groups, users and computers with direct control of one. */
  controllersOf(sets: readonly VictimSet[]): NodeSet {
    const key = [...new Set(sets.map((set) => set.key))].sort().join(';');
    return this.#controllers.get(key, () => {
      const all = NodeSet.union(
        this.#context.graph.nodeCount,
        sets.map((set) => set.nodes),
      );
      const holders = this.#context.edges(...CONTROL_OF_VICTIM).startsOfAny(all);
      return holders.and(this.#context.use(possibleControllers));
    });
  }

  #victims(onTemplate: PrincipalSet, onCa: PrincipalSet): NodeSet {
    if (onTemplate.direct.isEmpty || onCa.direct.isEmpty) return this.#context.emptySet();
    const { directlyUniversal } = this.#context.use(specialGroups);
    const everybodyInTemplate = onTemplate.direct.intersects(directlyUniversal);
    const everybodyAtCa = onCa.direct.intersects(directlyUniversal);
    if (everybodyInTemplate && everybodyAtCa) return this.#leavesOf(onCa).or(this.#leavesOf(onTemplate));
    if (everybodyInTemplate) return this.#leavesOf(onCa);
    if (everybodyAtCa) return this.#leavesOf(onTemplate);
    return this.#leavesOf(onTemplate).and(this.#leavesOf(onCa));
  }

  /** L(S): holders that are not groups, and members of those that are. */
  #leavesOf(set: PrincipalSet): NodeSet {
    return this.#leaves.get(`${set.id}`, () => {
      const groups = this.#context.nodesOf('Group');
      const members = this.#context.use(membership).expand(set.direct.and(groups));
      return set.direct.or(members).andNot(groups);
    });
  }

  #narrow(victims: NodeSet, choice: VictimChoice): NodeSet {
    if (choice === 'all') return victims;
    if (choice === 'computers') return victims.and(this.#context.nodesOf('Computer'));
    return victims.andNot(this.#context.use(usersWithoutDnsName));
  }
}

/** The principals that can act on a victim. */
export const possibleControllers: Shared<NodeSet> = {
  name: 'possible controllers of victims',
  reads: {},
  build: (context) => context.nodesOf('Group').or(context.nodesOf('User')).or(context.nodesOf('Computer')),
};

export const victims: Shared<Victims> = {
  name: 'victims of enrollment',
  reads: {
    edges: CONTROL_OF_VICTIM,
    shared: [enrollment, membership, specialGroups, usersWithoutDnsName, possibleControllers],
  },
  build: (context) => new Victims(context),
};
