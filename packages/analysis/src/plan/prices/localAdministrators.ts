/**
 * Counts the computers of which a principal is in the group Administrators, by the units of these: a group that administers most computers of a unit is
 * there by design, one on a single computer is an exception.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { objectIdOf } from '@clew/graph';
import { LocalGroup } from '../../ad/localGroups.ts';
import type { AnalysisContext, Shared } from '../../analysisContext.ts';

/** Computers that are in no unit count as one. */
const NO_UNIT = -1;

export class LocalAdministrators {
  readonly #units = new Map<number, number>();
  /** Computers of each unit whose group was read. */
  readonly #read = new Map<number, number>();
  /** Keyed by member, then by unit. */
  readonly #hosts = new Map<number, Map<number, number>>();

  constructor(context: AnalysisContext) {
    const { graph } = context;
    const unitOfGroup = new Map<number, number>();
    context.edges('LocalToComputer').forEach((group, _, host) => {
      if (objectIdOf(graph, group).endsWith(LocalGroup.administrators)) unitOfGroup.set(group, host);
    });
    const hosts = new Set(unitOfGroup.values());
    context.edges('Contains').forEach((container, _, node) => {
      if (hosts.has(node)) this.#units.set(node, container);
    });
    for (const [group, host] of unitOfGroup) {
      const unit = this.#unitOf(host);
      unitOfGroup.set(group, unit);
      this.#read.set(unit, (this.#read.get(unit) ?? 0) + 1);
    }
    context.edges('MemberOfLocalGroup').forEach((member, _, group) => {
      const unit = unitOfGroup.get(group);
      if (unit === undefined) return;
      const own = this.#hosts.get(member) ?? new Map<number, number>();
      this.#hosts.set(member, own.set(unit, (own.get(unit) ?? 0) + 1));
    });
  }

  /** @returns the number of computers that it administers as a member of their group itself */
  hostsOf(member: number): number {
    let hosts = 0;
    for (const count of this.#hosts.get(member)?.values() ?? []) hosts += count;
    return hosts;
  }

  /** @returns whether it administers several computers of a unit, and most of them, or the only one of a unit */
  runsUnit(member: number): boolean {
    for (const [unit, count] of this.#hosts.get(member) ?? []) {
      const read = this.#read.get(unit) ?? 0;
      if ((count > 1 || read === 1) && count * 2 > read) return true;
    }
    return false;
  }

  /** @returns the computers of the member: all, those in the unit of this one, and all of that unit whose group was read */
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
  reads: { edges: ['LocalToComputer', 'Contains', 'MemberOfLocalGroup'] },
  build: (context) => new LocalAdministrators(context),
};
