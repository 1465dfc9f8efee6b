/** Values of the properties that started plans change: a value other than before proves nothing, because it may be worse. */
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

/** Maximum number of listed values. */
const MAX_OTHERS = 5;

export function isWanted(
  value: JsonValue,
  { key, old, wanted }: Pick<PropertyFact, 'key' | 'old' | 'wanted'>,
): boolean {
  if (MASKS.has(key) && typeof value === 'number' && typeof old === 'number' && typeof wanted === 'number')
    return value >= 0 && (value & old & ~wanted) === 0;
  return comparable(value) === comparable(wanted);
}

/** Collectors write lists in any order. */
const comparable = (value: JsonValue): string =>
  JSON.stringify(Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value);

export function otherValues(
  generation: Generation,
  world: AnalyzedWorld,
  { properties }: ChangeFacts,
): OtherValue[] {
  const found: OtherValue[] = [];
  for (const property of properties) {
    const { object_id, key, old, wanted } = property;
    const node = findNode(generation.graph, object_id);
    if (node === NO_NODE) continue;
    const value = world.context.properties.value(key, node) ?? null;
    if (comparable(value) === comparable(old) || isWanted(value, property)) continue;
    const { name } = objectRecord(generation, node);
    found.push({ object_id, text: `${key} of ${name} is now ${valueText(value)}, not ${valueText(wanted)}` });
    if (found.length === MAX_OTHERS) break;
  }
  return found;
}
