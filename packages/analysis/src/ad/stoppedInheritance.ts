/**
 * Children that do not inherit from the place that contains them, with the control that still reaches them or the objects below: as
 * accounts that process policies, and as part of a domain.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { getOrMake } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { inherits, isPlace, takesPolicies } from '../directory/passedOn.ts';
import { MAX_LISTED } from '../directory/policyReach.ts';

interface Passed {
  readonly from: number;
  readonly to: number;
  /** Places from the child down to `to`, starting with the child; empty if `to` is the child. */
  readonly through: readonly number[];
}

export interface StoppedInheritance {
  readonly place: number;
  readonly child: number;
  /** Control that reaches the child, or objects below it, although the place does not pass it on. */
  readonly passed: readonly Passed[];
}

export function stoppedInheritance(context: AnalysisContext): StoppedInheritance[] {
  const [units, containers] = [context.nodesOf('OU'), context.nodesOf('Container')];
  const above = new Map<number, Above>();
  const found: StoppedInheritance[] = [];
  context.edges('Contains').forEach((place, _kind, child) => {
    if (inherits(context, child)) return;
    const isAccount = takesPolicies(context, child);
    if (!containers.has(place) && (!units.has(place) || isAccount)) return;
    const known = getOrMake(above, place, () => holdersAbove(context, place));
    const passed = passedOn(context, child, known, isAccount);
    // A unit with too many accounts below represents all of them.
    if (passed === undefined && units.has(place)) return;
    found.push({ place, child, passed: passed ?? asWhole([...known.units, ...known.domains], child) });
  });
  return found;
}

/** Objects above a place to which policies can be linked: the nearest units and domains, including the place itself; and all domains. */
interface Above {
  readonly units: readonly number[];
  readonly nearestDomains: readonly number[];
  readonly domains: readonly number[];
}

const asWhole = (from: readonly number[], child: number): Passed[] =>
  from.map((one) => ({ from: one, to: child, through: [] }));

/** @returns undefined if too many accounts are below the child */
function passedOn(
  context: AnalysisContext,
  child: number,
  { units, nearestDomains, domains }: Above,
  isAccount: boolean,
): readonly Passed[] | undefined {
  if (isAccount) return asWhole([...units, ...nearestDomains], child);
  const ofDomains = asWhole(domains, child);
  if (!isPlace(context, child) || units.length === 0) return ofDomains;
  const accounts = accountsBelow(context, child);
  return (
    accounts && [
      ...ofDomains,
      ...units.flatMap((from) => accounts.map(({ to, through }) => ({ from, to, through }))),
    ]
  );
}

/** Accounts at any depth that process policies. @returns undefined if there are too many */
function accountsBelow(context: AnalysisContext, top: number): Omit<Passed, 'from'>[] | undefined {
  const found = new Map<number, readonly number[]>();
  const places = new Map<number, readonly number[]>([[top, [top]]]);
  for (const [place, through] of places) {
    context.edges('Contains').outOf(place, (child) => {
      if (takesPolicies(context, child)) found.set(child, through);
      else if (isPlace(context, child) && !places.has(child)) places.set(child, [...through, child]);
    });
    if (found.size > MAX_LISTED) return undefined;
  }
  return [...found].sort(([a], [b]) => a - b).map(([to, through]) => ({ to, through }));
}

function holdersAbove(context: AnalysisContext, place: number): Above {
  const [units, containers, domains] = (['OU', 'Container', 'Domain'] as const).map((kind) =>
    context.nodesOf(kind),
  );
  const sorted = (nodes: Iterable<number>): number[] => [...nodes].sort((a, b) => a - b);
  const all = new Set([place]);
  for (const node of all)
    context.edges('Contains').into(node, (next) => {
      all.add(next);
    });
  const chain = new Set(containers.has(place) ? [place] : []);
  const nearest = new Set(containers.has(place) ? [] : [place]);
  for (const node of chain)
    context.edges('Contains').into(node, (next) => {
      if (containers.has(next)) chain.add(next);
      else nearest.add(next);
    });
  const nearestPlaces = sorted(nearest);
  return {
    units: nearestPlaces.filter((node) => units.has(node)),
    nearestDomains: nearestPlaces.filter((node) => domains.has(node)),
    domains: sorted(all).filter((node) => domains.has(node)),
  };
}
