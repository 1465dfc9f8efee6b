/**
 * Repairs: the relationships that one change in the directory removes. A finding describes a weakness; a repair describes how to remove it,
 * and may close many findings.
 *
 * Rule: `docs/plan.md#repairs`.
 */
import type { EdgeRef } from '@clew/analysis';
import { edgeKey } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { RepairKind } from './repairKinds.ts';
import type { RepairedValue } from './settings.ts';

export interface FactsChange {
  readonly removed: readonly EdgeRef[];
  readonly properties: readonly RepairedValue[];
}

export interface Repair {
  /** Stable across generations: kind and object ids. */
  readonly id: string;
  readonly kind: RepairKind;
  /** The changed object. */
  readonly object: number;
  /** The principal that loses access. */
  readonly principal?: number;
  /** Names of the removed relations, including kinds declared by the data. */
  readonly edgeKinds: readonly EdgeKindName[];
  readonly change: FactsChange;
  /** The relation, if the repair removes exactly one. Its id has the start, the name of the relation and the end, in this order. */
  readonly edge?: EdgeRef;
  /** Cost from a definition, which overrides the cost of its kind. */
  readonly cost?: number | undefined;
}

export interface RepairKey {
  /** A `RepairKind`, or any string from a record. */
  readonly kind: string;
  readonly object: number;
  readonly principal?: number;
  /** Names of edge kinds, as in `Repair.edgeKinds`. */
  readonly relations: readonly string[];
}

export const changeOf = (repairs: readonly Repair[]): FactsChange => ({
  removed: repairs.flatMap(({ change }) => change.removed),
  properties: withoutEach(repairs.flatMap(({ change }) => change.properties)),
});

/** Several repairs remove different values from one list: each writes the whole list, so the last would restore the values of the others. */
function withoutEach(all: readonly RepairedValue[]): readonly RepairedValue[] {
  const lists = new Map<string, RepairedValue>();
  const found: RepairedValue[] = [];
  for (const change of all) {
    const { node, key, value } = change;
    if (!Array.isArray(value)) {
      found.push(change);
      continue;
    }
    const before = lists.get(`${node} ${key}`)?.value;
    const left = Array.isArray(before) ? value.filter((one) => before.includes(one)) : value;
    lists.set(`${node} ${key}`, { node, key, value: left });
  }
  return lists.size === 0 ? all : [...found, ...lists.values()];
}

/** Skips relations that an earlier repair has removed, or that the change removes twice. */
export function withoutRepeated(
  { removed, properties }: FactsChange,
  before: readonly FactsChange[] = [],
): FactsChange {
  const gone = new Set(before.flatMap((change) => change.removed.map(edgeKey)));
  return {
    properties,
    removed: removed.filter((edge) => {
      const isNew = !gone.has(edgeKey(edge));
      gone.add(edgeKey(edge));
      return isNew;
    }),
  };
}
