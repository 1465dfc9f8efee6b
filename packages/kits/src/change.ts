/** A declared change: one JSON form shared by the script, the readme, tests and readers of the kit. */
import type { KitFacts } from '@clew/planning';
import type { EngineName } from './engines/index.ts';
import type { OptionName } from './engines/options.ts';
import type { Literal } from './literal.ts';

/** Texts about a change. */
export interface KitTexts {
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
  /** Questions that decide whether the change causes an outage, each with the consequence of its answer. */
  readonly questions?: readonly string[];
  /** Number of principals that lose access; null if not counted. */
  readonly affected: number | null;
}

export type Settings = Readonly<Record<string, Literal>>;

/** A change made by an engine. */
export interface Scripted {
  readonly engine: EngineName;
  /** Keys of this package; ids, numbers and texts as values. */
  readonly settings: Settings;
  /** The right that the administrator requires. */
  readonly needs: string;
  /** The facts restored when undoing; null if the change cannot be undone. */
  readonly undo: string | null;
  /** Steps of the change that the script does not make, without names. */
  readonly further?: readonly string[];
  /** Steps of a remedy of which the script makes only one. */
  readonly remedy?: readonly string[];
  /** A value that the script asks for when applied, such as a container to choose. */
  readonly asks?: string;
  /** A parameter of the script that has a default. */
  readonly option?: { readonly name: OptionName; readonly text: string };
}

/** A change without a script. */
export interface Manual {
  /** Why there is no script. */
  readonly why: string;
  /** Steps in addition to the text of the change; empty if this text has all of them. */
  readonly steps: readonly string[];
}

export type Plan = Scripted | Manual;

export const isScripted = (plan: Plan): plan is Scripted => 'engine' in plan;

/**
 * @returns the steps of a change, complete without its readme. For a script, these are the whole remedy, or the text of the change and the
 *   steps that the script does not make
 */
export function wholeSteps({
  plan,
  change,
  check,
}: Pick<KitTexts, 'change' | 'check'> & { plan: Plan }): readonly string[] {
  if (isScripted(plan)) return plan.remedy ?? [change, ...(plan.further ?? [])];
  return plan.steps.length > 0 ? plan.steps : [change, `Successful if: ${check}`];
}

export type Maker = (facts: KitFacts) => Plan;
