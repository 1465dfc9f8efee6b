/**
 * What cards do, measured on the analysis of the changed facts, card after card. A card that was measured after the same cards
 * before it is not measured again.
 *
 * Rule: `docs/plan.md#the-simulation-has-the-last-word`.
 */
import { totalOf } from './planScope.ts';
import type { PlanCard, RejectedCard } from './planTypes.ts';
import { changeOf, type FactsChange, type Repair } from './repairs.ts';
import {
  type AnalysedWorld,
  changedWorld,
  compareFindings,
  findingsOf,
  type ZoneExposure,
} from './simulate.ts';

/** A card may differ from its simulation by this part of those who were exposed before it; then the simulation is shown. */
const MAX_DIFFERENCE = 0.01;

export type Measured = Pick<PlanCard, 'exposures' | 'exposedBefore' | 'exposedAfter' | 'closed' | 'opened'>;

export interface CardPromise {
  /** Keys of its packages. */
  readonly keys: readonly string[];
  readonly repairs: readonly Repair[];
  readonly exposedAfter: number;
}

/** Of a card and all before it. */
interface Done {
  readonly measured: Measured;
  readonly changes: readonly FactsChange[];
}

export class CardSimulations {
  /** Of the facts as they are. */
  readonly before: readonly ZoneExposure[];
  readonly #world: AnalysedWorld;
  readonly #exposuresOf: (world: AnalysedWorld) => ZoneExposure[];
  readonly #known = new Map<string, Done>();
  /** With the cards of this name. */
  #current: { readonly name: string; readonly world: AnalysedWorld };

  constructor(world: AnalysedWorld, exposuresOf: (world: AnalysedWorld) => ZoneExposure[]) {
    this.#world = world;
    this.#exposuresOf = exposuresOf;
    this.#current = { name: '', world };
    this.before = exposuresOf(world);
  }

  /** @param before keys of the packages of the cards before it, all of which were measured @throws CancelledError */
  measure(card: CardPromise, before: readonly (readonly string[])[]): Measured {
    const nameBefore = nameOfCards(before);
    const name = nameOfCards([...before, card.keys]);
    const known = this.#known.get(name);
    if (known !== undefined) return known.measured;
    const done = this.#known.get(nameBefore);
    const changesBefore = done?.changes ?? [];
    const from =
      this.#current.name === nameBefore
        ? this.#current.world
        : changedWorld(this.#world, together(changesBefore));
    const change = without(changeOf(card.repairs), changesBefore);
    const world = changedWorld(from, change);
    const exposures = this.#exposuresOf(world);
    const measured = {
      exposures,
      exposedBefore: done?.measured.exposedAfter ?? totalOf(this.before),
      exposedAfter: totalOf(exposures),
      ...compareFindings(findingsOf(from), findingsOf(world)),
    };
    this.#known.set(name, { measured, changes: [...changesBefore, change] });
    this.#current = { name, world };
    return measured;
  }
}

/** @returns nothing where the card does what it promises */
export function brokenPromise(card: CardPromise, measured: Measured): RejectedCard | undefined {
  const { exposedBefore, exposedAfter } = measured;
  const isKept =
    exposedAfter < exposedBefore &&
    Math.abs(exposedAfter - card.exposedAfter) <= MAX_DIFFERENCE * exposedBefore;
  return isKept ? undefined : { packages: card.keys, promised: card.exposedAfter, simulated: exposedAfter };
}

const nameOfCards = (cards: readonly (readonly string[])[]): string =>
  cards.map((keys) => JSON.stringify([...keys].sort())).join('\n');

const keyOf = ({ start, kind, end }: FactsChange['removed'][number]): string => `${start} ${kind} ${end}`;

/** Relations that several repairs take away go once. */
function without({ removed, properties }: FactsChange, before: readonly FactsChange[]): FactsChange {
  const gone = new Set(before.flatMap((change) => change.removed.map(keyOf)));
  return {
    properties,
    removed: removed.filter((edge) => {
      const isNew = !gone.has(keyOf(edge));
      gone.add(keyOf(edge));
      return isNew;
    }),
  };
}

const together = (changes: readonly FactsChange[]): FactsChange => ({
  removed: changes.flatMap(({ removed }) => removed),
  properties: changes.flatMap(({ properties }) => properties),
});
