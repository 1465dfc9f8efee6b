/** Values of the properties that started plans change: a value other than before proves nothing, because it may be worse. */
import { Oid } from '@clew/analysis';
import type { Generation } from '@clew/generation';
import { findNode, type JsonValue, NO_NODE } from '@clew/graph';
import type { AnalyzedWorld } from '@clew/planning';
import { valueText } from './movedFacts.ts';
import { objectRecord } from './planRecords.ts';
import type { ChangeFacts } from './startedFacts.ts';

type PropertyFact = ChangeFacts['properties'][number];

/** A value that is neither the one before nor the wanted one. */
export interface OtherValue {
  readonly object_id: string;
  readonly text: string;
}

/** Numbers whose bits are settings: only the bits that the change clears count. */
const MASKS: ReadonlySet<string> = new Set(['certificatemappingmethodsraw']);
/** The registry has no value, so Windows uses its default, which has none of the bits that changes clear. */
const NO_VALUE = -1;

/** Lists of which the change removes one element. Plans of earlier releases want an empty list. */
const REMOVED_ELEMENTS: Readonly<Record<string, string>> = { disabledextensions: Oid.securityExtension };

/** Maximum number of listed values. */
const MAX_OTHERS = 5;

export function isWanted(
  value: JsonValue,
  { key, old, wanted }: Pick<PropertyFact, 'key' | 'old' | 'wanted'>,
): boolean {
  if (MASKS.has(key) && typeof value === 'number' && typeof old === 'number' && typeof wanted === 'number')
    return value === NO_VALUE || (value >= 0 && (value & old & ~wanted) === 0);
  if (Array.isArray(wanted) && (value === null || Array.isArray(value)))
    return isListWanted(value ?? [], {
      old: Array.isArray(old) ? old : [],
      wanted,
      only: REMOVED_ELEMENTS[key],
    });
  return comparable(value) === comparable(wanted);
}

interface WantedList {
  readonly old: readonly JsonValue[];
  readonly wanted: readonly JsonValue[];
  /** The only element that the change removes; missing if it removes all that are not wanted. */
  readonly only: string | undefined;
}

/** Others may change the list, too: only the elements that the change removes or adds count. */
function isListWanted(value: readonly JsonValue[], { old, wanted, only }: WantedList): boolean {
  const [now, before, after] = [value, old, wanted].map((list) => new Set(list.map(comparable)));
  const removed = [...before].filter((one) => !after.has(one));
  const added = [...after].filter((one) => !before.has(one));
  return (
    removed.every((one) => !now.has(one) || (only !== undefined && one !== comparable(only))) &&
    added.every((one) => now.has(one))
  );
}

/** Collectors write lists in any order. */
const comparable = (value: JsonValue): string =>
  JSON.stringify(Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value);

/** Whether it is the value before the change; lists in any order. */
export const isOld = (value: JsonValue, { old }: Pick<PropertyFact, 'old'>): boolean =>
  comparable(value) === comparable(old);

/** Properties of an object that say whether the collector read the value. */
const READ_MARKS: Readonly<Record<string, string>> = { disabledextensions: 'disabledextensionscollected' };

/** @returns undefined if the object has no value because the collector could not read it */
export function readValue({ context }: AnalyzedWorld, node: number, key: string): JsonValue | undefined {
  const value = context.properties.value(key, node) ?? null;
  const mark = READ_MARKS[key];
  const isRead = value !== null || mark === undefined || context.properties.value(mark, node) === true;
  return isRead ? value : undefined;
}

export function otherValues(
  generation: Generation,
  world: AnalyzedWorld,
  { properties }: ChangeFacts,
): OtherValue[] {
  const found: OtherValue[] = [];
  for (const property of properties) {
    const { object_id, key, wanted } = property;
    const node = findNode(generation.graph, object_id);
    if (node === NO_NODE) continue;
    const value = readValue(world, node, key);
    if (value === undefined || isOld(value, property) || isWanted(value, property)) continue;
    const { name } = objectRecord(generation, node);
    found.push({ object_id, text: `${key} of ${name} is now ${valueText(value)}, not ${valueText(wanted)}` });
    if (found.length === MAX_OTHERS) break;
  }
  return found;
}
