/** A declared change: one form of JSON that the script, the readme, tests and a reader of the kit share. */
import type { KitFacts } from '@clew/planning';
import type { EngineName } from './engines/index.ts';
import type { Literal } from './literal.ts';

export type Settings = Readonly<Record<string, Literal>>;

/** A change that an engine makes. */
export interface Scripted {
  readonly engine: EngineName;
  /** Words of this package as keys; ids, numbers and texts as values. */
  readonly settings: Settings;
  /** The right that the administrator needs. */
  readonly needs: string;
  /** The facts that undoing gives back; null where the change cannot be undone. */
  readonly undo: string | null;
  /** A value that the script asks for when it applies the change, such as a place that people choose. */
  readonly asks?: string;
}

/** A change without a script. */
export interface Manual {
  /** Why there is no script. */
  readonly why: string;
  readonly steps: readonly string[];
}

export type Plan = Scripted | Manual;

export const isScripted = (plan: Plan): plan is Scripted => 'engine' in plan;

export type Maker = (facts: KitFacts) => Plan;
