/** A change of a kit before its files are written, and the names of its files. */
import type { KitFacts } from '@clew/planning';
import type { BeforeChange } from './beforeChange.ts';
import type { Plan } from './change.ts';
import type { Watch } from './watchRules.ts';

export interface KitInput {
  readonly facts: KitFacts;
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
  /** Principals that lose access; null where they are not counted. */
  readonly affected: number | null;
}

export interface PlannedChange extends KitInput {
  /** Name of its files, without the ending. */
  readonly id: string;
  readonly plan: Plan;
  /** Detection until the change is made. */
  readonly watch: Watch;
  /** Events to record before the change, where old clients may not know the setting. */
  readonly before: BeforeChange | undefined;
}

/** @param at of the rule among those of the change @returns name of its file, without the ending */
export const ruleName = (id: string, at: number): string => `rules/${id}-${String(at + 1).padStart(2, '0')}`;
