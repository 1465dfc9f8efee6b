/**
 * Victims: all principals that could enroll in a template at a CA. They are not reduced to a cover, because control of any of them gives
 * its enrollment.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import { NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { membership } from '../directory/membership.ts';
import { type PrincipalSet, principalSets } from '../directory/principalSets.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import { NodeSetCache } from '../nodeSetCache.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { type CertTemplate, suitsUsersWithoutDnsName } from './certTemplates.ts';
import { enrollment, usersWithoutDnsName } from './enrollment.ts';

/** Rights that allow changing the name under which a victim enrolls. */
export const CONTROL_OF_VICTIM = ['GenericAll', 'GenericWrite', 'Owns', 'WriteOwner', 'WriteDacl'] as const;

/** Which victims count. `enrollable`: ordinary users only if no DNS name is required; `computers`; or `all`. */
export type VictimChoice = 'all' | 'enrollable' | 'computers';

export interface VictimSet {
  /** Within a run, equal keys mean equal sets. */
  readonly key: string;
  /** Contains no groups. */
  readonly nodes: NodeSet;
  readonly source: VictimSource;
}

interface VictimSource {
  readonly onTemplate: PrincipalSet;
  readonly onCa: PrincipalSet;
  readonly choice: VictimChoice;
}

/** Above this number of changed victims, all controllers are searched again. */
const MAX_OTHERS = 1000;

export class Victims {
  readonly #context: AnalysisContext;
  readonly #leaves = new NodeSetCache();
  readonly #sets = new NodeSetCache();
  readonly #controllers = new NodeSetCache();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns V(T, C), filtered by the choice */
  of(template: CertTemplate, ca: EnterpriseCa, choice: VictimChoice): VictimSet {
    const enrolled = this.#context.use(enrollment);
    const onTemplate = enrolled.ofTemplate(template);
    const onCa = enrolled.ofCa(ca);
    const narrowed = choice === 'enrollable' && suitsUsersWithoutDnsName(template) ? 'all' : choice;
    return this.#from({ onTemplate, onCa, choice: narrowed });
  }

  #from(source: VictimSource): VictimSet {
    const { onTemplate, onCa, choice } = source;
    const key = `${onTemplate.id} ${onCa.id} ${choice}`;
    const nodes = this.#sets.get(key, () => this.#narrow(this.#victims(onTemplate, onCa), choice));
    return { key, nodes, source };
  }

  /** @returns Att(V) of the victims of all sets: groups, users and computers with direct control of one */
  controllersOf(sets: readonly VictimSet[]): NodeSet {
    const key = [...new Set(sets.map((set) => set.key))].sort().join(';');
    return this.#controllers.get(key, () => {
      const all = this.#union(sets);
      return this.#nearControllers(sets, all) ?? this.#controllersOfAll(all);
    });
  }

  #union(sets: readonly VictimSet[]): NodeSet {
    return NodeSet.union(
      this.#context.graph.nodeCount,
      sets.map((set) => set.nodes),
    );
  }

  #controllersOfAll(all: NodeSet): NodeSet {
    const holders = this.#context.edges(...CONTROL_OF_VICTIM).startsOfAny(all);
    return holders.and(this.#context.use(possibleControllers));
  }

  /**
   * Derived incrementally from the controllers before a change of memberships: only controllers of added or removed victims may differ.
   * @returns undefined if that is not known
   */
  #nearControllers(sets: readonly VictimSet[], all: NodeSet): NodeSet | undefined {
    const { origin } = this.#context;
    if (origin?.isSame({ edges: CONTROL_OF_VICTIM }) !== true) return undefined;
    const before = origin.context.use(victims);
    const principals = origin.context.use(principalSets);
    const setsBefore = sets.map(({ source: { onTemplate, onCa, choice } }) =>
      before.#from({
        ...{ onTemplate: principals.of(onTemplate.direct), onCa: principals.of(onCa.direct), choice },
      }),
    );
    const allBefore = before.#union(setsBefore);
    const [lost, gained] = [allBefore.andNot(all), all.andNot(allBefore)];
    if (lost.size + gained.size > MAX_OTHERS) return undefined;
    const controllers = before.controllersOf(setsBefore);
    const control = this.#context.edges(...CONTROL_OF_VICTIM);
    const left = this.#controllersOfAll(lost).filter((node) => !control.leadsTo(node, all));
    return controllers.andNot(left).or(this.#controllersOfAll(gained));
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

  /** L(S): holders that are not groups, and members of holders that are. */
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

/** Principals that can control a victim. */
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
