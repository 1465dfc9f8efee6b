/**
 * Measures the effects of cards by analyzing the changed facts, card after card. A card with the same cards before it is measured only
 * once.
 *
 * Rule: `docs/plan.md#verification-by-simulation`.
 */

import type { FirstCard, PlanOptions, RejectedCard } from '../planTypes.ts';
import { changeOf, type FactsChange, type Repair, withoutRepeated } from '../repairs/repair.ts';
import type { FindingChanges } from '../simulation/findingKeys.ts';
import { shownChangesOf } from '../simulation/movedLogons.ts';
import {
  type AnalyzedWorld,
  changedWorld,
  endWorld,
  findingsOf,
  type ZoneExposure,
} from '../simulation/simulate.ts';
import { totalOf } from './planScope.ts';

/**
 * Maximum difference between a card and its simulation, as a share of the principals exposed before; within it, the simulated figures are
 * shown.
 */
const MAX_DIFFERENCE = 0.01;

export type Measured<Details = unknown> = Pick<
  FirstCard<Details>,
  'exposures' | 'exposedBefore' | 'exposedAfter' | 'details'
>;

export interface SimulationParts<Details> {
  /** Exposures without any card. */
  readonly before: readonly ZoneExposure[];
  readonly exposuresOf: (world: AnalyzedWorld) => ZoneExposure[];
  readonly detailsOf?: PlanOptions<Details>['detailsOf'];
}

export interface CardPromise {
  /** Keys of its packages. */
  readonly keys: readonly string[];
  readonly repairs: readonly Repair[];
  readonly exposedAfter: number;
}

/** The state after a card and all before it. */
interface Done<Details> {
  readonly measured: Measured<Details>;
  readonly findings: FindingChanges;
  readonly changes: readonly FactsChange[];
}

export class CardSimulations<Details = unknown> {
  /** Exposures without any card. */
  readonly before: readonly ZoneExposure[];
  readonly #world: AnalyzedWorld;
  readonly #exposuresOf: SimulationParts<Details>['exposuresOf'];
  readonly #detailsOf: SimulationParts<Details>['detailsOf'];
  readonly #known = new Map<string, Done<Details>>();
  /** The world after the cards with this name. */
  #current: { readonly name: string; readonly world: AnalyzedWorld };

  constructor(world: AnalyzedWorld, { before, exposuresOf, detailsOf }: SimulationParts<Details>) {
    this.#world = world;
    this.#exposuresOf = exposuresOf;
    this.#detailsOf = detailsOf;
    this.#current = { name: '', world };
    this.before = before;
  }

  /** @param cards package keys of each card, in order @returns the effect of the last card, if measured */
  known(cards: readonly (readonly string[])[]): Measured<Details> | undefined {
    return this.#known.get(nameOfCards(cards))?.measured;
  }

  /** @param cards package keys of each card, all of them measured @returns the world after them */
  worldAfter(cards: readonly (readonly string[])[]): AnalyzedWorld {
    const name = nameOfCards(cards);
    return this.#worldOf(name, this.#known.get(name)?.changes ?? []);
  }

  /**
   * Measures a card, including closed and opened findings.
   * @param before package keys of the cards before it, all of them measured @throws CanceledError
   */
  measure(
    { keys, repairs }: CardPromise,
    before: readonly (readonly string[])[],
  ): Measured<Details> & FindingChanges {
    const name = nameOfCards([...before, keys]);
    const known = this.#known.get(name);
    if (known !== undefined) return { ...known.measured, ...known.findings };
    const nameBefore = nameOfCards(before);
    const doneBefore = this.#known.get(nameBefore);
    const changesBefore = doneBefore?.changes ?? [];
    const from = this.#worldOf(nameBefore, changesBefore);
    const change = withoutRepeated(changeOf(repairs), changesBefore);
    // Computed before the change, because unaffected parts are copied from it.
    findingsOf(from);
    const world = changedWorld(from, change);
    const measured = this.#measured(from, world, doneBefore);
    const findings = shownChangesOf(from, world);
    this.#known.set(name, { measured, findings, changes: [...changesBefore, change] });
    for (const ended of new Set([from, this.#current.world]))
      if (ended !== this.#world) endWorld(ended, [this.#world, world]);
    this.#current = { name, world };
    return { ...measured, ...findings };
  }

  #worldOf(name: string, changes: readonly FactsChange[]): AnalyzedWorld {
    if (changes.length === 0) return this.#world;
    return this.#current.name === name ? this.#current.world : changedWorld(this.#world, together(changes));
  }

  #measured(from: AnalyzedWorld, world: AnalyzedWorld, before: Done<Details> | undefined): Measured<Details> {
    const exposures = this.#exposuresOf(world);
    return {
      exposures,
      exposedBefore: before?.measured.exposedAfter ?? totalOf(this.before),
      exposedAfter: totalOf(exposures),
      ...(this.#detailsOf && { details: this.#detailsOf(from, world) }),
    };
  }
}

/** @returns undefined if the card has the promised effect */
export function brokenPromise(card: CardPromise, measured: Measured): RejectedCard | undefined {
  const { exposedBefore, exposedAfter } = measured;
  const isKept =
    exposedAfter < exposedBefore &&
    Math.abs(exposedAfter - card.exposedAfter) <= MAX_DIFFERENCE * exposedBefore;
  return isKept ? undefined : { packages: card.keys, promised: card.exposedAfter, simulated: exposedAfter };
}

const nameOfCards = (cards: readonly (readonly string[])[]): string =>
  cards.map((keys) => JSON.stringify([...keys].sort())).join('\n');

const together = (changes: readonly FactsChange[]): FactsChange => ({
  removed: changes.flatMap(({ removed }) => removed),
  properties: changes.flatMap(({ properties }) => properties),
});
