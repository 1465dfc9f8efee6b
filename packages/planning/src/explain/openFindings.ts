/**
 * Explains why a plan leaves a relationship finding open. Without a reason, an open finding would seem to contradict the plan.
 *
 * Rule: `docs/findings.md#order`.
 */
import {
  attackSteps,
  edgeKindsOf,
  environments,
  findingTypesOf,
  HYGIENE_ZONE,
  isUnread,
} from '@clew/analysis';
import { findEdge, NO_EDGE, type NodeSet, reachableNodes, throwIfCanceled } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Plan, PlanEnd, PlanOptions } from '../planTypes.ts';
import { isOfSynchronization, obstacleTo } from '../repairs/possibleChanges.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { type FindingKey, findingKeyText } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, findingsOf, rankedZone, tierZeroOf } from '../simulation/simulate.ts';
import { repairsAbout } from './repairsBehind.ts';

export const OPEN_REASONS = [
  /** The finding belongs to a zone other than that of the plan. */
  'other-zone',
  /** Its relationship does not lead into the zone. */
  'leads-elsewhere',
  /** After the plan, it no longer leads into the zone, or its source is unreachable. */
  'cut-before',
  /** Its source is unreachable in the current analysis. */
  'unused',
  /** The environment of its source was not collected, so its users are unknown. */
  'unknown',
  /** All changes that close it are excluded. */
  'excluded',
  /** Some changes that close it are excluded, and the plan has no other for it. */
  'partly-excluded',
  /** All known changes that close it would remove the last administrator of an environment. */
  'last-administrator',
  /** Directory synchronization needs the right that it reports. */
  'synchronization',
  /** No known change closes it. */
  'no-change',
  /** No known change closes it, because the object belongs in Tier Zero. */
  'add',
  /** A setting or state of one object that no known change closes; its remediation says what to do. */
  'remediation',
  /** It requires an added protection, but plans only remove. */
  'protect-user',
  /** Its users can also enter through permanent relationships. */
  'unreachable',
  /** The plan met its goal without it. */
  'below-goal',
  /** No further change lowers the exposure enough for its cost. */
  'no-gain',
  /** A custom check without a declared change found it; the texts of the check describe the repair. */
  'check-text',
  /** A setting of one object that the plan does not need to change; it has a separate repair. */
  'by-itself',
  /** The search has not examined its repairs. */
  'not-planned',
] as const;
export type OpenReason = (typeof OPEN_REASONS)[number];

export interface OpenFinding {
  readonly finding: FindingKey;
  readonly reason: OpenReason;
  /** Users and computers of its environment that can use it after the plan, if counted. */
  readonly users?: number;
}

/** Maximum number of findings for which repairs are looked up, most users first: each lookup visits all ways of a rule. */
const MAX_LOOKED_UP = 300;
/** Maximum number of sources whose users are counted; findings of other sources have no figure. */
const MAX_WALKS = 3000;

export interface OpenOptions extends Pick<PlanOptions, 'zone' | 'isExcluded'> {
  readonly plan: Pick<Plan, 'cards' | 'end'>;
  /** The world after all cards. */
  readonly after: AnalyzedWorld;
}

/** @returns relationship findings that no card closes @throws CanceledError */
export function openFindings(
  world: AnalyzedWorld,
  { zone, isExcluded, plan, after }: OpenOptions,
): OpenFinding[] {
  const today = new Reached(world, zone);
  const rest = new Reached(after, zone);
  const closed = new Set(plan.cards.flatMap((card) => card.closed.map(findingKeyText)));
  const isOfUnread = isUnread(world.context);
  const found: OpenFinding[] = [];
  const left: OpenFinding[] = [];
  for (const finding of findingsOf(world).values()) {
    const { source } = finding;
    if (source === undefined || closed.has(findingKeyText(finding))) continue;
    const known = reasonWithout(finding, zone, today, rest);
    const reason = known === 'unused' && isOfUnread(source) ? 'unknown' : known;
    if (reason !== undefined) found.push({ finding, reason });
    else left.push({ finding, reason: END_REASONS[plan.end], ...rest.figure(source, finding.environment) });
  }
  left.sort((one, other) => (other.users ?? 0) - (one.users ?? 0));
  const changes = new KnownChanges(world, isExcluded);
  for (const [at, one] of left.entries())
    found.push(at < MAX_LOOKED_UP ? { ...one, reason: changes.reasonOf(one) } : one);
  return found;
}

/** The reason why a finding is not part of the plan, or is already done. */
function reasonWithout(
  { zone: own, source, target }: FindingKey,
  zone: number,
  today: Reached,
  rest: Reached,
): OpenReason | undefined {
  if (own !== zone && own !== HYGIENE_ZONE) return 'other-zone';
  if (!today.leads(target)) return 'leads-elsewhere';
  if (!rest.leads(target)) return 'cut-before';
  if (rest.isUsed(source as number)) return undefined;
  return today.isUsed(source as number) ? 'cut-before' : 'unused';
}

const END_REASONS: Readonly<Record<PlanEnd, OpenReason>> = {
  goal: 'below-goal',
  'no-gain': 'no-gain',
  'nothing-exposed': 'unused',
  unreachable: 'unreachable',
  'out-of-time': 'not-planned',
  unfinished: 'not-planned',
};

/** Finds the principals that can reach the zone of a world and the sources of findings. */
class Reached {
  readonly #world: AnalyzedWorld;
  readonly #into: NodeSet;
  readonly #above: NodeSet;
  readonly #principals: NodeSet;
  readonly #users = new Map<number, NodeSet | undefined>();
  readonly #used: NodeSet;

  constructor(world: AnalyzedWorld, zone: number) {
    const { context } = world;
    this.#world = world;
    const ranked = rankedZone(world, zone);
    if (ranked === undefined) throw new Error(`zone ${zone} is not in the analysis`);
    this.#above = ranked.above;
    this.#into = reachableNodes(context.attackGraph, ranked.members, {
      ...{ direction: 'in', filter: attackSteps(context.graph), cancel: context.cancel },
    }).or(ranked.above);
    this.#principals = world.principals.andNot(ranked.above);
    this.#used = this.#walk(this.#principals, 'out');
  }

  leads(node: number): boolean {
    return this.#into.has(node);
  }

  /** Whether a user or computer outside the zone is the node or reaches it. */
  isUsed(node: number): boolean {
    return this.#used.has(node);
  }

  /** @returns the number of users in the environment, if the node is among the first that are examined */
  figure(node: number, environment: number): { readonly users?: number } {
    const { context } = this.#world;
    if (!this.#users.has(node)) this.#users.set(node, this.#usersOf(node));
    const users = this.#users.get(node);
    if (users === undefined) return {};
    const { of } = context.use(environments);
    return { users: users.filter((one) => of[one] === environment).size };
  }

  #usersOf(node: number): NodeSet | undefined {
    return this.#users.size >= MAX_WALKS ? undefined : this.#walk([node], 'in').and(this.#principals);
  }

  /** Paths do not pass through the zone, because its members control everything. */
  #walk(from: Iterable<number>, direction: 'in' | 'out'): NodeSet {
    const { attackGraph, cancel } = this.#world.context;
    return reachableNodes(attackGraph, from, {
      ...{ direction, filter: attackSteps(attackGraph), blocked: this.#above, cancel },
    });
  }
}

/** Whether a known change that is not excluded removes a relationship. */
class KnownChanges {
  readonly #world: AnalyzedWorld;
  readonly #catalog: RepairCatalog;
  readonly #isExcluded: PlanOptions['isExcluded'];

  constructor(world: AnalyzedWorld, isExcluded: PlanOptions['isExcluded']) {
    this.#world = world;
    this.#catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
    this.#isExcluded = isExcluded;
  }

  reasonOf({ finding, reason }: OpenFinding): OpenReason {
    const known = this.#reason(finding);
    // A plan that ends for another reason ends without this change, too.
    return known === undefined || (known === 'partly-excluded' && reason !== 'no-gain') ? reason : known;
  }

  /** Considers all kinds of relationships between the ends: a permanent one keeps the finding open. */
  #reason({ type, source, target }: FindingKey): OpenReason | undefined {
    const { context } = this.#world;
    throwIfCanceled(context.cancel);
    const found = findingTypesOf(context.graph)[type];
    if (found.kind !== 'relationship' || source === undefined) return undefined;
    let reason: OpenReason | undefined;
    for (const kind of edgeKindsOf(found)) {
      const edge = { start: source, kind, end: target };
      if (findEdge(context.graph, edge.start, edge.kind, edge.end) === NO_EDGE) continue;
      const { all, removing } = repairsAbout(context, this.#catalog, edge);
      if (all.length === 0) return kind === EdgeKind.AZResetPassword ? 'protect-user' : 'no-change';
      if (isOfSynchronization(context, edge.start, edge.kind)) return 'synchronization';
      const isExcluded = (place: number): boolean =>
        this.#isExcluded?.(this.#catalog.repairs[place]) === true;
      const obstacleOf = (place: number) => obstacleTo(context, this.#catalog.repairs[place]);
      if (all.every(isExcluded)) reason = 'excluded';
      else if (all.every((place) => isExcluded(place) || obstacleOf(place) !== undefined))
        reason = all.some((place) => obstacleOf(place) === 'last-administrator')
          ? 'last-administrator'
          : 'no-change';
      else if ([...removing].some(isExcluded)) reason ??= 'partly-excluded';
    }
    return reason;
  }
}
