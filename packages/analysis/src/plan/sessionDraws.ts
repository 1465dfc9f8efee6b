/**
 * Checks whether a card would have the same effect if other sessions were seen: it is weighed with a fifth more of them, at random, five
 * times. Logons change from day to day; a cut in the middle that depends on them is lost with the next logon.
 *
 * Rule: `docs/plan.md#sessions`.
 */
import {
  int32s,
  type LabeledSteps,
  type MoreSteps,
  moreSteps,
  type NodeSet,
  newRandom,
  uint32s,
} from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { environments } from '../findings/environments.ts';

const DRAWS = 5;
const MORE_SHARE = 0.2;
/** The same draws each time, so that a plan does not change between two runs. */
const SEED = 20261124;
/** With more sessions, a card must keep out at least this part of the principals that it keeps out now. */
const MIN_KEPT = 0.9;
/** One for each draw, and one without. */
const CHOICES_OF_LIST = DRAWS + 1;
/** A walk has 32 bits. */
const LISTS_AT_ONCE = Math.floor(32 / CHOICES_OF_LIST);

export class SessionDraws {
  /** Exposed principals by list of repairs that are done: with each draw, then with the sessions that were seen. */
  readonly #sums = new Map<string, readonly number[]>();
  readonly #more: MoreSteps;
  readonly #steps: LabeledSteps;
  readonly #realms: readonly { readonly targets: ArrayLike<number>; readonly weights: Uint32Array }[];

  /** @param above members of the zone and of more privileged ones: their sessions are not drawn */
  constructor(
    context: AnalysisContext,
    above: NodeSet,
    steps: LabeledSteps,
    realms: readonly { readonly targets: ArrayLike<number>; readonly weights: Uint32Array }[],
  ) {
    this.#more = drawnOnce(context, above);
    this.#steps = steps;
    this.#realms = realms;
  }

  /** @param card repairs of the card @param before repairs of all cards before it */
  holds(card: readonly number[], before: readonly number[]): boolean {
    if (this.#more.starts.length === 0) return true;
    const pair = [before, [...before, ...card]];
    this.weigh(pair);
    const [open, done] = pair.map((repairs) => this.#sums.get(nameOf(repairs)) as readonly number[]);
    const falls = open.map((exposed, draw) => exposed - done[draw]);
    const asItIs = falls[DRAWS];
    return falls.every((fall) => fall >= MIN_KEPT * asItIs);
  }

  /** Weighs lists of repairs that `holds` needs later: one walk for several takes little longer than a walk for one. */
  weigh(lists: readonly (readonly number[])[]): void {
    if (this.#more.starts.length === 0) return;
    const unknown = new Map(lists.map((repairs) => [nameOf(repairs), repairs]));
    for (const name of unknown.keys()) if (this.#sums.has(name)) unknown.delete(name);
    const names = [...unknown.keys()];
    for (let first = 0; first < names.length; first += LISTS_AT_ONCE) {
      const batch = names.slice(first, first + LISTS_AT_ONCE);
      const sums = this.#exposed(batch.map((name) => unknown.get(name) as readonly number[]));
      for (const [at, name] of batch.entries())
        this.#sums.set(name, sums.slice(at * CHOICES_OF_LIST, (at + 1) * CHOICES_OF_LIST));
    }
  }

  #exposed(lists: readonly (readonly number[])[]): number[] {
    const choices = lists.flatMap((repairs) => Array.from({ length: CHOICES_OF_LIST }, () => repairs));
    const sums = new Array<number>(choices.length).fill(0);
    for (const { targets, weights } of this.#realms)
      for (const [at, weight] of this.#steps.weighWith(this.#more, targets, choices, weights).entries())
        sums[at] += weight;
    return sums;
  }
}

/** The same for the same repairs in any order. */
const nameOf = (repairs: readonly number[]): string => [...new Set(repairs)].sort((a, b) => a - b).join();

const DRAWN = new WeakMap<NodeSet, MoreSteps>();

/** The plan of wide packages and that of all have the same draws: they depend on the facts and the zone alone. */
function drawnOnce(context: AnalysisContext, above: NodeSet): MoreSteps {
  let drawn = DRAWN.get(above);
  if (drawn === undefined) {
    drawn = drawnSessions(context, above);
    DRAWN.set(above, drawn);
  }
  return drawn;
}

/** Draws sessions of accounts outside the zone on hosts outside it, both of one environment; a draw has a bit in each list. */
function drawnSessions(context: AnalysisContext, above: NodeSet): MoreSteps {
  const sessions = context.edges('HasSession');
  let count = 0;
  sessions.forEach(() => {
    count++;
  });
  const { of, principals } = context.use(environments);
  const users = Map.groupBy(context.nodesOf('User').and(principals).andNot(above), (node) => of[node]);
  const hosts = [...context.nodesOf('Computer').and(principals).andNot(above)].filter((host) =>
    users.has(of[host]),
  );
  const drawn = hosts.length === 0 ? 0 : Math.ceil(count * MORE_SHARE);
  const random = newRandom(SEED);
  const pick = (from: readonly number[]): number => from[Math.floor(random() * from.length)];
  const [starts, ends] = [uint32s(drawn * DRAWS), uint32s(drawn * DRAWS)];
  const words = int32s(drawn * DRAWS);
  for (let at = 0; at < drawn * DRAWS; at++) {
    starts[at] = pick(hosts);
    ends[at] = pick(users.get(of[starts[at]]) as number[]);
    words[at] = drawBits(at % DRAWS);
  }
  return moreSteps(context.graph.nodeCount, { starts, ends, words });
}

function drawBits(draw: number): number {
  let bits = 0;
  for (let list = 0; list < LISTS_AT_ONCE; list++) bits |= 1 << (list * CHOICES_OF_LIST + draw);
  return bits;
}
