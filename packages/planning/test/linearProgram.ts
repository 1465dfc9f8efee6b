/**
 * The search for the steepest card as a linear program, solved by HiGHS: an oracle independent of minimum cuts.
 *
 *     minimize   Σ cost(p) · x(p) + price · Σ weight(u) · d(u)
 *     subject to d(u) ≥ d(v) - Σ x(p) over the packages p that take the step u → v away, for every step;  d = 1 in the zone
 */
import type { LabelSet } from '@clew/graph';
import highsModule from 'highs';
import type { Candidates } from '../src/search/candidates.ts';

/** The types are written for bundlers: at run time, the module itself is the function. */
const loadHighs = highsModule as unknown as typeof highsModule.default;
type Highs = Awaited<ReturnType<typeof loadHighs>>;

export interface SolvedSet {
  /** Labels of the candidates. */
  readonly labels: readonly number[];
  readonly cost: number;
  /** Principals still exposed, including those that no package keeps out. */
  readonly left: number;
}

interface Solved extends SolvedSet {
  /** Cost plus the price of all principals exposed after it. */
  readonly objective: number;
  /** Whether the optimum of the program contains only whole packages. */
  readonly isWhole: boolean;
}

const EPSILON = 1e-6;
const MAX_PRICES = 50;

export class CardProgram {
  readonly #highs: Highs;
  /** Number of programs, and of those that had to be solved in integers. */
  solved = 0;
  fractional = 0;

  private constructor(highs: Highs) {
    this.#highs = highs;
  }

  static async load(): Promise<CardProgram> {
    return new CardProgram(await loadHighs());
  }

  /** @returns the set with the largest decrease per cost; undefined if no set keeps anyone out (Dinkelbach) */
  steepest(candidates: Candidates): SolvedSet | undefined {
    const [exposed] = candidates.weigh([[]]);
    let best: SolvedSet | undefined;
    let price = candidates.costs.reduce((sum, cost) => sum + cost, 1);
    for (let tried = 0; tried < MAX_PRICES; tried++) {
      const found = this.cheapest(candidates, price);
      const isBetter = found.objective < price * (exposed - candidates.alwaysExposed) - EPSILON * price;
      if (!isBetter || found.left >= exposed) return best;
      best = found;
      price = found.cost / (exposed - found.left);
    }
    throw new Error('the price does not converge');
  }

  /** Finds the cheapest set at a price per exposed principal. */
  cheapest(candidates: Candidates, price: number): Solved {
    const found = this.#solve(candidates, price, false);
    if (found.isWhole) return found;
    this.fractional++;
    return this.#solve(candidates, price, true);
  }

  #solve(candidates: Candidates, price: number, isWhole: boolean): Solved {
    this.solved++;
    const { costs } = candidates;
    const solution = this.#highs.solve(programText(candidates, price, isWhole));
    if (solution.Status !== 'Optimal') throw new Error(`the program is ${solution.Status}`);
    const values = Array.from(costs, (_, label) => primalOf(solution.Columns[`x${label}`]));
    const labels = [...values.keys()].filter((label) => (values[label] as number) > 0.5);
    return {
      labels,
      cost: labels.reduce((sum, label) => sum + (costs[label] as number), 0),
      left: candidates.weigh([labels])[0] as number,
      objective: solution.ObjectiveValue,
      isWhole: values.every((value) => Math.abs(value - Math.round(value)) < EPSILON),
    };
  }
}

const primalOf = (column: object | undefined): number =>
  column !== undefined && 'Primal' in column ? Number(column.Primal) : 0;

/** The program in the CPLEX format. */
function programText({ network, costs }: Candidates, price: number, isWhole: boolean): string {
  const { steps, weights } = network;
  const packages = [...costs.keys()];
  const nodes = [...weights.keys()].slice(1);
  const terms = [
    ...packages.map((label) => `${costs[label]} x${label}`),
    ...nodes.map((node) => `${price * (weights[node] as number)} d${node}`),
  ];
  const rows: string[] = [];
  for (let end = 0; end < steps.nodeCount; end++)
    for (let at = steps.offsets[end] as number; at < (steps.offsets[end + 1] as number); at++) {
      const start = steps.starts[at] as number;
      const taken = (steps.sets[steps.setOf[at] as number] as LabelSet).map((label) => ` + x${label}`);
      rows.push(`d${start}${end === 0 ? '' : ` - d${end}`}${taken.join('')} >= ${end === 0 ? 1 : 0}`);
    }
  const variables = [...packages.map((label) => `x${label}`), ...nodes.map((node) => `d${node}`)];
  return [
    `Minimize\n obj: ${terms.join(' + ')}`,
    `Subject To\n${rows.map((row, at) => ` c${at}: ${row}`).join('\n')}`,
    `Bounds\n${variables.map((name) => ` 0 <= ${name} <= 1`).join('\n')}`,
    ...(isWhole ? [`Binaries\n ${packages.map((label) => `x${label}`).join(' ')}`] : []),
    'End\n',
  ].join('\n');
}
