/**
 * Explains why a plan leaves a relationship finding open: a finding that no card closes has a reason, or the list would seem to contradict
 * the plan.
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
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { type FindingKey, findingKeyText } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, findingsOf, rankedZone, tierZeroOf } from '../simulation/simulate.ts';
import { repairsBehind } from './repairsBehind.ts';

export const OPEN_REASONS = [
  /** About another zone than that of the plan. */
  'other-zone',
  /** Leads between objects that do not lead into the zone. */
  'leads-elsewhere',
  /** No longer leads into the zone, or no one reaches its source, once the plan is done. */
  'cut-before',
  /** No one reaches its source even today. */
  'unused',
  /** The environment of its source was not collected: who reaches it is not known. */
  'unknown',
  /** All that closes it is excluded. */
  'excluded',
  /** Nothing is known that closes it. */
  'no-change',
  /** A change that adds something closes it; plans only remove. */
  'protect-user',
  /** Its users can also enter through relationships that no change removes. */
  'unreachable',
  /** The plan met its goal before. */
  'below-goal',
  /** Its few users are not worth the change, as plans weigh it. */
  'no-gain',
  /** Found by a custom check that names no change: its texts say what to do. */
  'check-text',
  /** A setting of one object that the plan does not need: it has a repair of its own. */
  'by-itself',
  /** The search for repairs has not examined it. */
  'not-planned',
] as const;
export type OpenReason = (typeof OPEN_REASONS)[number];

export interface OpenFinding {
  readonly finding: FindingKey;
  readonly reason: OpenReason;
  /** Users and computers of its environment that can use it once the plan is done, where that was counted. */
  readonly users?: number;
}

/** Findings whose repairs are looked up, those with most users first: each takes all ways of a rule. */
const MAX_LOOKED_UP = 300;
/** Sources that are walked to for their users; findings of others have no figure. */
const MAX_WALKS = 3000;

export interface OpenOptions extends Pick<PlanOptions, 'zone' | 'isExcluded'> {
  readonly plan: Pick<Plan, 'cards' | 'end'>;
  /** The world with all cards done. */
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
    found.push(at < MAX_LOOKED_UP ? { ...one, reason: changes.reason(one.finding) ?? one.reason } : one);
  return found;
}

/** Why the plan has no business with a finding, or is done with it. */
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

/** Finds the principals that can reach the zone of a world, and the sources of findings. */
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

  /** Whether any user or computer outside the zone is the node, or reaches it. */
  isUsed(node: number): boolean {
    return this.#used.has(node);
  }

  /** @returns users of the environment, where the node is among the first that are examined */
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

  /** Paths do not go through the zone: its members reach everything. */
  #walk(from: Iterable<number>, direction: 'in' | 'out'): NodeSet {
    const { attackGraph, cancel } = this.#world.context;
    return reachableNodes(attackGraph, from, {
      ...{ direction, filter: attackSteps(attackGraph), blocked: this.#above, cancel },
    });
  }
}

/** Whether anything that is known, and not excluded, takes a relationship away. */
class KnownChanges {
  readonly #world: AnalyzedWorld;
  readonly #catalog: RepairCatalog;
  readonly #isExcluded: PlanOptions['isExcluded'];

  constructor(world: AnalyzedWorld, isExcluded: PlanOptions['isExcluded']) {
    this.#world = world;
    this.#catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
    this.#isExcluded = isExcluded;
  }

  /** Considers all kinds of relationships between its ends: one that stays keeps the finding open. */
  reason({ type, source, target }: FindingKey): OpenReason | undefined {
    const { context } = this.#world;
    throwIfCanceled(context.cancel);
    const found = findingTypesOf(context.graph)[type];
    if (found.kind !== 'relationship' || source === undefined) return undefined;
    let reason: OpenReason | undefined;
    for (const kind of edgeKindsOf(found)) {
      const edge = { start: source, kind, end: target };
      if (findEdge(context.graph, edge.start, edge.kind, edge.end) === NO_EDGE) continue;
      const repairs = repairsBehind(context, this.#catalog, edge);
      if (repairs.length === 0) return kind === EdgeKind.AZResetPassword ? 'protect-user' : 'no-change';
      if (repairs.every((place) => this.#isExcluded?.(this.#catalog.repairs[place]) === true))
        reason = 'excluded';
    }
    return reason;
  }
}
