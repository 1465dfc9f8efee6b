/** Counts direct and indirect members of a group, up to a limit: prices ask whether a group is broad, and cards show the number. */
import { type AnalysisContext, environments, largeDefaultGroups, type Shared } from '@clew/analysis';
import { getOrMake } from '@clew/graph';
import { membersOf } from './neighborFilters.ts';

/** Number of principals that makes a group broad. */
const MIN_BROAD = 20;
/** Cap of the count. */
export const MAX_COUNTED = 1000;

export class GroupSizes {
  readonly #context: AnalysisContext;
  readonly #sizes = new Map<number, number>();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns the number of users and computers among direct and indirect members, at most `MAX_COUNTED` */
  of(group: number): number {
    return getOrMake(this.#sizes, group, () => this.accountsOf(group, MAX_COUNTED).length);
  }

  isBroad(group: number): boolean {
    return largeDefaultGroups(this.#context).all.has(group) || this.of(group) >= MIN_BROAD;
  }

  /** @returns accounts among direct and indirect members, nearest first */
  accountsOf(group: number, most: number): number[] {
    const { principals } = this.#context.use(environments);
    const seen = new Set([group]);
    const found: number[] = [];
    for (const node of seen)
      for (const member of membersOf(this.#context.graph, node)) {
        if (seen.has(member)) continue;
        seen.add(member);
        if (!principals.has(member)) continue;
        found.push(member);
        if (found.length >= most) return found;
      }
    return found;
  }
}

export const groupSizes: Shared<GroupSizes> = {
  name: 'group sizes',
  reads: { edges: ['MemberOf', 'AZMemberOf'], shared: [environments] },
  build: (context) => new GroupSizes(context),
};
