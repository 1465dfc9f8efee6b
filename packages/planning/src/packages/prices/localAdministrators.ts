/**
 * Counts, by unit, the computers whose group Administrators contains a principal: a group that administers most computers of a unit
 * does so by design, and one on a single computer is an exception.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, LocalGroup, localGroups, type Shared } from '@clew/analysis';
import { addCount } from '@clew/graph';

/** Computers outside all units count as one unit. */
const NO_UNIT = -1;

export class LocalAdministrators {
  readonly #units = new Map<number, number>();
  /** Number of computers per unit whose group was read. */
  readonly #read = new Map<number, number>();
  /** Keyed by member, then by unit. */
  readonly #hosts = new Map<number, Map<number, number>>();

  constructor(context: AnalysisContext) {
    const [contains, memberships] = [context.edges('Contains'), context.edges('MemberOfLocalGroup')];
    for (const [host, group] of context.use(localGroups).bySuffix(LocalGroup.administrators)) {
      contains.into(host, (container) => {
        this.#units.set(host, container);
      });
      const unit = this.#unitOf(host);
      addCount(this.#read, unit);
      memberships.into(group, (member) => {
        const own = this.#hosts.get(member) ?? new Map<number, number>();
        this.#hosts.set(member, own.set(unit, (own.get(unit) ?? 0) + 1));
      });
    }
  }

  /** @returns the number of computers on which it is a direct administrator */
  hostsOf(member: number): number {
    let hosts = 0;
    for (const count of this.#hosts.get(member)?.values() ?? []) hosts += count;
    return hosts;
  }

  /** @returns whether it administers several computers of a unit and most of them, or the only one of a unit */
  runsUnit(member: number): boolean {
    for (const [unit, count] of this.#hosts.get(member) ?? []) {
      const read = this.#read.get(unit) ?? 0;
      if ((count > 1 || read === 1) && count * 2 > read) return true;
    }
    return false;
  }

  /**
   * @returns three numbers: all computers of the member, its computers in the unit of this host, and all computers of that unit
   * whose group was read
   */
  around(
    member: number,
    host: number,
  ): { readonly hosts: number; readonly here: number; readonly unit: number } {
    const unit = this.#unitOf(host);
    return {
      hosts: this.hostsOf(member),
      here: this.#hosts.get(member)?.get(unit) ?? 0,
      unit: this.#read.get(unit) ?? 0,
    };
  }

  #unitOf(host: number): number {
    return this.#units.get(host) ?? NO_UNIT;
  }
}

export const localAdministrators: Shared<LocalAdministrators> = {
  name: 'local administrators',
  reads: { edges: ['Contains', 'MemberOfLocalGroup'], shared: [localGroups] },
  build: (context) => new LocalAdministrators(context),
};
