/**
 * Finds the objects reached by policies linked to a place. If control of the place reaches nothing more, the link itself represents it;
 * otherwise the reached accounts are listed by place, with units that contain only such accounts as a whole.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { blocksInheritance, inherits, isPlace, takesPolicies } from './passedOn.ts';

/**
 * Maximum number of accounts below a place that are listed one by one per policy. Beyond it, the link represents everything in the place:
 * so many accounts are in nearly every group there, and the lists of thousands of policies would be larger than the rest of the graph.
 */
export const MAX_LISTED = 100;

/** Objects that policies reach in one place. */
export interface ReachedObjects {
  /** The places on the path from the top: the place of the link, those below, and the one that contains the objects. */
  readonly through: readonly number[];
  /** Each once. */
  readonly nodes: readonly number[];
}

export class PolicyReach {
  readonly #context: AnalysisContext;
  readonly #mixed = new Map<boolean, ReadonlySet<number>>();
  readonly #aboveBlocking: ReadonlySet<number>;
  readonly #listed = new Map<string, readonly ReachedObjects[] | undefined>();

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.#aboveBlocking = placesAboveBlocking(context);
    for (const isEnforced of [false, true]) this.#mixed.set(isEnforced, mixedPlaces(context, isEnforced));
  }

  /** @returns the reached objects one by one; undefined if the link represents control of the place */
  listed(place: number, isEnforced: boolean): readonly ReachedObjects[] | undefined {
    const key = `${place} ${isEnforced}`;
    if (!this.#listed.has(key)) this.#listed.set(key, this.#list(place, isEnforced));
    return this.#listed.get(key);
  }

  #list(place: number, isEnforced: boolean): readonly ReachedObjects[] | undefined {
    const isDomain = this.#context.nodesOf('Domain').has(place);
    if (isDomain ? this.#reachesController(place, isEnforced) : !this.#isMixed(place, isEnforced))
      return undefined;
    const isDivided = !isEnforced && this.#aboveBlocking.has(place);
    return this.#reached(place, isEnforced, isDivided ? Number.POSITIVE_INFINITY : MAX_LISTED);
  }

  #isMixed(place: number, isEnforced: boolean): boolean {
    return this.#mixed.get(isEnforced)?.has(place) === true;
  }

  /** @returns undefined if there are more than `most` */
  #reached(place: number, isEnforced: boolean, most: number): readonly ReachedObjects[] | undefined {
    const context = this.#context;
    const contains = context.edges('Contains');
    const found: ReachedObjects[] = [];
    const all = new Set<number>();
    const divided = new Map<number, readonly number[]>([[place, [place]]]);
    for (const [parent, through] of divided) {
      const nodes: number[] = [];
      contains.outOf(parent, (child) => {
        if (takesPolicies(context, child)) nodes.push(child);
        else if (isPlace(context, child) && (isEnforced || !blocksInheritance(context, child))) {
          if (!this.#isMixed(child, isEnforced)) {
            if (this.#holdsAccounts(child)) nodes.push(child);
          } else if (!divided.has(child)) divided.set(child, [...through, child]);
        }
      });
      if (nodes.length > 0) found.push({ through, nodes });
      for (const node of nodes) all.add(node);
      if (all.size > most) return undefined;
    }
    return found;
  }

  /** @param place a place that is not mixed */
  #holdsAccounts(place: number): boolean {
    const places = new Set([place]);
    let isFound = false;
    for (const node of places) {
      this.#context.edges('Contains').outOf(node, (child) => {
        if (isPlace(this.#context, child)) places.add(child);
        else isFound = true;
      });
      if (isFound) return true;
    }
    return false;
  }

  /** Control of a controller is control of its domain. A controller with unknown place may be reached. */
  #reachesController(domain: number, isEnforced: boolean): boolean {
    const context = this.#context;
    return [...context.edges('DCFor').startsOf(domain)].some((controller) => {
      if (!takesPolicies(context, controller)) return false;
      const above = new Set<number>([controller]);
      for (const node of above) {
        if (!isEnforced && blocksInheritance(context, node)) continue;
        context.edges('Contains').into(node, (next) => {
          above.add(next);
        });
      }
      return above.has(domain) || above.size === 1;
    });
  }
}

export const policyReach: Shared<PolicyReach> = {
  name: 'reach of policies',
  reads: {
    edges: ['Contains', 'DCFor'],
    nodeProperties: ['blocksinheritance', 'isaclprotected', 'enabled'],
  },
  build: (context) => new PolicyReach(context),
};

/**
 * Places whose control reaches objects other than those reached by policies linked there: groups, disabled accounts, and objects behind
 * blocked inheritance or protected lists.
 */
function mixedPlaces(context: AnalysisContext, isEnforced: boolean): ReadonlySet<number> {
  const found = new Set<number>();
  const [containers, domains] = [context.nodesOf('Container'), context.nodesOf('Domain')];
  context.edges('Contains').forEach((place, _kind, child) => {
    if (found.has(place)) return;
    const isSame = isPlace(context, child)
      ? (domains.has(place) || inherits(context, child)) && (isEnforced || !blocksInheritance(context, child))
      : takesPolicies(context, child) && (!containers.has(place) || inherits(context, child));
    if (!isSame) found.add(place);
  });
  for (const place of found)
    context.edges('Contains').into(place, (above) => {
      found.add(above);
    });
  return found;
}

/** @returns places above a unit that blocks inheritance, at any depth */
function placesAboveBlocking(context: AnalysisContext): ReadonlySet<number> {
  const contains = context.edges('Contains');
  const found = new Set<number>();
  const visit = (above: number): void => {
    found.add(above);
  };
  context.properties.nodesWhere('blocksinheritance', true).forEach((unit) => {
    if (blocksInheritance(context, unit)) contains.into(unit, visit);
  });
  for (const place of found) contains.into(place, visit);
  return found;
}
