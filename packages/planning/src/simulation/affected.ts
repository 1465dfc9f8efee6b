/** Finds the principals that use the rights that a repair removes, according to the facts. */
import { type AnalysisContext, environments, type Kept, TEMPLATE_ENROLLMENT } from '@clew/analysis';
import { reachableNodes } from '@clew/graph';
import { deniedPrincipals } from '../repairs/deniedLogons.ts';
import type { Repair } from '../repairs/repair.ts';

export interface Affected {
  /** Principals that hold the removed rights, directly or through groups. */
  readonly count: number;
  /** The direct holders. */
  readonly holders: readonly number[];
}

/** @returns undefined if the facts do not show the users */
export function affectedBy(context: AnalysisContext, repair: Repair): Affected | undefined {
  if (repair.kind.startsWith('template-') || repair.kind === 'unpublish-template') {
    const template = repair.kind === 'unpublish-template' ? repair.principal : repair.object;
    const holders = [...context.edges(...TEMPLATE_ENROLLMENT).startsOf(template as number)];
    return { count: countHeld(context, holders), holders };
  }
  if (repair.kind === 'separate-logons') {
    const holders = deniedPrincipals(context, repair);
    return { count: countHeld(context, holders), holders };
  }
  if (repair.principal === undefined || NOT_HELD.has(repair.kind)) return undefined;
  return { count: countHeld(context, [repair.principal]), holders: [repair.principal] };
}

const NOT_HELD: ReadonlySet<string> = new Set([
  'move-object',
  'unlink-policy',
  'filter-trust',
  'protect-host',
  'unsynchronize',
]);

/** Memo keyed by holders: a plan asks about the same few holders a hundred times, and a default group contains most principals. */
const HELD: Kept<string, number> = { name: 'principals that hold a right' };
/** Results for more holders are not memoized. */
const MAX_HOLDERS = 32;

const countHeld = (context: AnalysisContext, holders: readonly number[]): number =>
  holders.length > MAX_HOLDERS
    ? countAll(context, holders)
    : context.memory.use(HELD, holders.join(), () => countAll(context, holders));

function countAll(context: AnalysisContext, holders: readonly number[]): number {
  const { filter } = context.edges('MemberOf', 'AZMemberOf', 'MemberOfLocalGroup');
  const { principals } = context.use(environments);
  return reachableNodes(context.graph, holders, { direction: 'in', filter }).and(principals).size;
}

/** @returns the number of principals with a right that any of the repairs removes */
export function affectedByAll(context: AnalysisContext, repairs: readonly Repair[]): number {
  const holders = new Set<number>();
  for (const repair of repairs)
    for (const holder of affectedBy(context, repair)?.holders ?? []) holders.add(holder);
  return holders.size === 0 ? 0 : countHeld(context, [...holders]);
}
