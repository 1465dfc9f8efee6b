/**
 * Counts, by unit, the computers whose group Administrators contains a principal: a group that administers most computers of a unit
 * does so by design, and one on a single computer is an exception.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, LocalGroup, localGroups, type Shared } from '@clew/analysis';
import { addCount } from '@clew/graph';
import type { PriceFacts } from './reasons.ts';

/** Computers outside all units count as one unit. */
const NO_UNIT = -1;

type AroundHost = Required<Pick<PriceFacts, 'hosts' | 'here' | 'unit' | 'computers'>> &
  Pick<PriceFacts, 'container'>;

export class LocalAdministrators {
  readonly #units = new Map<number, number>();
  /** Number of computers per unit, also of those whose group was not read. */
  readonly #all = new Map<number, number>();
  /** Number of computers per unit whose group was read. */
  readonly #read = new Map<number, number>();
  /** Keyed by member, then by unit. */
  readonly #hosts = new Map<number, Map<number, number>>();

  constructor(context: AnalysisContext) {
    const [contains, memberships] = [context.edges('Contains'), context.edges('MemberOfLocalGroup')];
    for (const computer of context.nodesOf('Computer')) {
      contains.into(computer, (container) => {
        this.#units.set(computer, container);
      });
      addCount(this.#all, this.#unitOf(computer));
    }
    for (const [host, group] of context.use(localGroups).bySuffix(LocalGroup.administrators)) {
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
   * @returns the container of this host, if it was collected, and four numbers: all computers of the member, its computers in the container
   * of this host, the computers of that container whose group was read, and all computers of that container
   */
  around(member: number, host: number): AroundHost {
    const unit = this.#unitOf(host);
    return {
      hosts: this.hostsOf(member),
      here: this.#hosts.get(member)?.get(unit) ?? 0,
      unit: this.#read.get(unit) ?? 0,
      computers: this.#all.get(unit) ?? 0,
      ...(unit !== NO_UNIT && { container: unit }),
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
