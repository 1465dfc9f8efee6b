/**
 * Attack effort: the work that one step of an attack path requires of an attacker, and the reason. The work of a defender is a different
 * measure, the cost of a repair. The efforts of the steps of a path add up; `docs/rules.md` has a table of the kinds.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { EDGE_DEFINITIONS, EdgeKind, type TraversableKindName } from './edgeKinds.ts';
import { type AttackEffort, EFFORT_CLASSES, type StepEffort } from './kinds/effortClasses.ts';

/** Default effort and reason of kinds that definitions of other platforms declare. */
export const CUSTOM_KIND_EFFORT: StepEffort = {
  effort: 2,
  reason: 'A kind from another source: several actions, unless its definition specifies another effort',
};

/** Bands of the total effort of a path, each with its minimum. A principal without a path has no effort. */
export const EFFORT_BANDS = [
  { id: 'trivial', name: 'Trivial', least: 0, means: 'no condition, and at most three actions' },
  { id: 'easy', name: 'Easy', least: 4, means: 'at most one condition, and no luck' },
  { id: 'moderate', name: 'Moderate', least: 8, means: 'luck, two conditions, or a long chain' },
  { id: 'hard', name: 'Hard', least: 16, means: 'several of these' },
] as const;

/** @param effort of a path @returns "attack effort 5 (easy)" */
export function effortWords(effort: number): string {
  const band = EFFORT_BANDS.findLast(({ least }) => effort >= least) ?? EFFORT_BANDS[0];
  return `attack effort ${effort} (${band.name.toLowerCase()})`;
}

/** @param effort of one step @returns "attack effort 4 (condition)" */
export function stepEffortWords(effort: number): string {
  const known = EFFORT_CLASSES.find((one) => one.effort === effort);
  return known === undefined
    ? `attack effort ${effort}`
    : `attack effort ${effort} (${known.name.toLowerCase()})`;
}

export type EffortBand = (typeof EFFORT_BANDS)[number]['id'];

/** Efforts of the kinds of attack paths, in the order of their numbers. */
export const ATTACK_EFFORTS: ReadonlyMap<TraversableKindName, StepEffort> = new Map(
  EDGE_DEFINITIONS.flatMap(([name, { effort }]) =>
    effort === undefined ? [] : [[name as TraversableKindName, effort] as const],
  ),
);

/** Keyed by the number of the kind. */
export type EffortTable = ReadonlyMap<number, StepEffort>;

/** @param changed efforts that replace those of the table @param custom kinds of other sources that are also steps */
export function effortTable(
  changed: Readonly<Partial<Record<TraversableKindName, number>>> = {},
  custom: ReadonlyMap<number, StepEffort> = new Map(),
): EffortTable {
  const table = new Map<number, StepEffort>(custom);
  for (const [kind, known] of ATTACK_EFFORTS) {
    const other = changed[kind];
    const reason = 'As configured';
    table.set(
      EdgeKind[kind],
      other === undefined || other === known.effort ? known : { effort: other as AttackEffort, reason },
    );
  }
  return table;
}
