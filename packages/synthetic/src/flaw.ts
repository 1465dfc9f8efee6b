/** The definition of a flaw, and the data available for planting it. */
import type { Block, DomainPlan, ForestPlan } from './plan.ts';
import { type Ace, ace, type Principal } from './records.ts';
import type { Overlay } from './world.ts';

export interface Site {
  readonly plan: DomainPlan;
  readonly forest: ForestPlan;
  readonly overlay: Overlay;
  /** Draws of this occurrence; the argument names the question. */
  readonly draw: (question: number) => number;
  /** @returns any object of the block */
  readonly some: (block: Block, question: number) => Principal;
}

export interface Flaw {
  readonly name: string;
  readonly description: string;
  readonly count: (plan: DomainPlan, forest: ForestPlan) => number;
  readonly plant: (site: Site, occurrence: number) => void;
  /**
   * In shape 3: `tiers` gives Tier 1 a path into Tier Zero, so it is rare if tiers are separate; `wide` gives many
   * people a path, so it occurs only if they have paths to Tier Zero anyway.
   */
  readonly crosses?: 'tiers' | 'wide';
  /** A domain has it once or not at all. */
  readonly isSingle?: true;
}

export const give = ({ overlay }: Site, holder: Principal, right: string, objectId: string): void => {
  const entry: Ace = ace(holder, right);
  overlay.change(objectId).aces.push(entry);
};
