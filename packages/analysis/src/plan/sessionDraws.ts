/**
 * Checks whether a card would have the same effect if other sessions were seen: it is weighed with a fifth more of them, at random, five
 * times. Logons change from day to day; a cut in the middle that depends on them is lost with the next logon.
 *
 * Rule: `docs/plan.md#sessions`.
 */
import { type LabeledSteps, type MoreSteps, moreSteps, type NodeSet, newRandom } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { environments } from '../findings/environments.ts';

const DRAWS = 5;
const MORE_SHARE = 0.2;
/** The same draws each time, so that a plan does not change between two runs. */
const SEED = 20261124;
/** With more sessions, a card must keep out at least this part of the principals that it keeps out now. */
const MIN_KEPT = 0.9;

export class SessionDraws {
  /** Keyed by a card and those before it: each is needed as often as the card is reported. */
  readonly #known = new Map<string, boolean>();
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
    const name = `${before.join()};${card.join()}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#find(card, before);
      this.#known.set(name, known);
    }
    return known;
  }

  #find(card: readonly number[], before: readonly number[]): boolean {
    const pair = [before, [...before, ...card]];
    const choices = Array.from({ length: DRAWS + 1 }, () => pair).flat();
    const sums = new Array<number>(choices.length).fill(0);
    for (const { targets, weights } of this.#realms)
      for (const [at, weight] of this.#steps.weighWith(this.#more, targets, choices, weights).entries())
        sums[at] += weight;
    const falls = Array.from({ length: DRAWS + 1 }, (_, draw) => sums[2 * draw] - sums[2 * draw + 1]);
    const asItIs = falls[DRAWS];
    return falls.every((fall) => fall >= MIN_KEPT * asItIs);
  }
}

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

/** Draws sessions of accounts outside the zone on hosts outside it, both of one environment; two bits for each draw. */
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
  const [starts, ends] = [new Uint32Array(drawn * DRAWS), new Uint32Array(drawn * DRAWS)];
  const words = new Int32Array(drawn * DRAWS);
  for (let at = 0; at < drawn * DRAWS; at++) {
    starts[at] = pick(hosts);
    ends[at] = pick(users.get(of[starts[at]]) as number[]);
    words[at] = 0b11 << (2 * (at % DRAWS));
  }
  return moreSteps(context.graph.nodeCount, { starts, ends, words });
}
