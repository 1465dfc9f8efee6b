/**
 * Tests whether a card has the same effect with other sessions: it is evaluated five times with a fifth more random sessions.
 * Logons change daily, and a cut that depends on them fails with the next logon.
 *
 * Rule: `docs/plan.md#sessions`.
 */
import { type AnalysisContext, environments, type Kept } from '@clew/analysis';
import type { Cancel, CutNetwork, LabeledSteps, NodeSet } from '@clew/graph';
import { contractSteps, joinKernels, newRandom, TARGETS, uint8s, uint32s, withMoreSteps } from '@clew/graph';
import { packageSets, type WithRepairs } from './packageLabels.ts';

const DRAWS = 5;
const MORE_SHARE = 0.2;
/** Fixed, so that repeated runs produce the same plan. */
const SEED = 20261124;
/** Minimum share of the effect that a card must keep with more sessions. */
const MIN_KEPT = 0.9;

export interface DrawsInput {
  readonly steps: LabeledSteps;
  readonly realms: readonly { readonly targets: ArrayLike<number>; readonly weights: Uint32Array }[];
  readonly packages: readonly WithRepairs[];
}

/** The kernel of some packages in which each draw of sessions is a label: evaluating a draw removes the sessions of the others. */
interface DrawnKernel {
  readonly network: CutNetwork;
  /** Labels by place of package; the labels of draws follow. */
  readonly labels: ReadonlyMap<number, number>;
}

export class SessionDraws {
  readonly #input: DrawsInput;
  readonly #drawn: DrawnSessions;
  readonly #cancel: Cancel | undefined;
  #kernel: DrawnKernel | undefined;

  /** @param above members of the zone and of more privileged zones, whose sessions are not drawn */
  constructor(context: AnalysisContext, above: NodeSet, input: DrawsInput) {
    this.#input = input;
    this.#drawn = drawnOnce(context, above);
    this.#cancel = context.cancel;
  }

  /**
   * @param card places of its packages @param before places of the packages of all earlier cards
   * @param among packages of later questions
   * @throws CanceledError
   */
  holds(card: readonly number[], before: readonly number[], among: readonly number[] = []): boolean {
    if (this.#drawn.starts.length === 0) return true;
    const done = [...before, ...card];
    const kernel = this.#kernelOf(done, among);
    const [exposedBefore, exposedAfter] = [before, done].map((places) => exposedIn(kernel, places));
    const falls = exposedBefore.map((exposed, draw) => exposed - exposedAfter[draw]);
    const asItIs = falls[DRAWS];
    return falls.every((fall) => fall >= MIN_KEPT * asItIs);
  }

  #kernelOf(asked: readonly number[], among: readonly number[]): DrawnKernel {
    const known = this.#kernel;
    if (known !== undefined && asked.every((place) => known.labels.has(place))) return known;
    const { steps, realms, packages } = this.#input;
    const places = [...new Set([...asked, ...among])].sort((a, b) => a - b);
    const { starts, ends, draws } = this.#drawn;
    const drawLabels = Array.from({ length: DRAWS }, (_, draw) => steps.labelCount + draw);
    const labels = Uint32Array.from(draws, (draw) => drawLabels[draw]);
    const repairCount = steps.labelCount + DRAWS;
    const all = withMoreSteps(steps, { starts, ends, labels }, repairCount, this.#cancel);
    const labeled = [
      ...places.map((place) => packages[place]),
      ...drawLabels.map((draw) => ({ repairs: [draw] })),
    ];
    const map = packageSets(all.sets, repairCount, labeled);
    const kernels = realms.map((realm) => contractSteps(all, map, realm, this.#cancel));
    this.#kernel = {
      network: joinKernels(kernels, map.sets, labeled.length, this.#cancel),
      labels: new Map(places.map((place, label) => [place, label])),
    };
    return this.#kernel;
  }
}

/** @param done places of packages @returns exposed principals for each draw, then for the observed sessions */
function exposedIn({ network, labels }: DrawnKernel, done: readonly number[]): number[] {
  const taken = done.map((place) => labels.get(place) as number);
  const choices = Array.from({ length: DRAWS + 1 }, (_, seen) => {
    const choice = [...taken];
    for (let draw = 0; draw < DRAWS; draw++) if (draw !== seen) choice.push(labels.size + draw);
    return choice;
  });
  return network.steps
    .weigh(TARGETS, choices, network.weights)
    .map((exposed) => exposed + network.alwaysExposed);
}

interface DrawnSessions {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Draw number of each session. */
  readonly draws: Uint8Array;
}

/** Keyed by the members of the zone and of more privileged zones. */
const DRAWN: Kept<NodeSet, DrawnSessions> = {
  name: 'drawn sessions',
  max: 4,
  isSame: (a, b) => a.equals(b),
};

/** The plan of wide packages and the plan of all packages share draws, which depend only on the facts and the zone. */
const drawnOnce = (context: AnalysisContext, above: NodeSet): DrawnSessions =>
  context.memory.use(DRAWN, above, () => drawnSessions(context, above));

/** Draws sessions of accounts outside the zone on hosts outside it, both of one environment. */
export function drawnSessions(context: AnalysisContext, above: NodeSet): DrawnSessions {
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
  const draws = uint8s(drawn * DRAWS);
  for (let at = 0; at < drawn * DRAWS; at++) {
    starts[at] = pick(hosts);
    ends[at] = pick(users.get(of[starts[at]]) as number[]);
    draws[at] = at % DRAWS;
  }
  return { starts, ends, draws };
}
