/** Converts an element of an AzureHound file's `data` to facts, or reports why it cannot. */
import type { ObjectFacts, ReadIssue } from '@clew/model';
import { AZURE_CONVERTERS } from './converters.ts';
import { AzureFacts } from './facts.ts';
import { ItemError, isRecord, member, text } from './fields.ts';

/**
 * @param value parsed element of `data`
 * @param index index of the element, from 0
 * @param offset byte offset of the element in its file
 * @returns its facts; none for an invalid item, with the reason as a `rejected` issue
 */
export function convertAzureItem(value: unknown, index: number, offset?: number): ObjectFacts {
  const at = offset === undefined ? { index } : { index, offset };
  const rejected = (reason: string, object?: string): ObjectFacts => ({
    index,
    nodes: [],
    edgeSets: [],
    issues: [{ severity: 'rejected', ...at, reason, ...(object === undefined ? {} : { object }) }],
  });
  if (!isRecord(value)) return rejected('the item is not an object');
  const kind = member(value, 'kind');
  if (typeof kind !== 'string' || kind === '') return rejected('the item has no kind');
  const label = kind.slice(0, 128);
  const convert = Object.hasOwn(AZURE_CONVERTERS, kind) ? AZURE_CONVERTERS[kind] : undefined;
  if (convert === undefined) {
    const issue: ReadIssue = {
      severity: 'note',
      ...at,
      object: label,
      reason: `items of kind ${JSON.stringify(label)} are unknown and were skipped`,
    };
    return { index, nodes: [], edgeSets: [], issues: [issue] };
  }
  const data = member(value, 'data');
  if (!isRecord(data)) return rejected('the item has no data object', label);
  const facts = new AzureFacts();
  try {
    convert(data, facts);
  } catch (error) {
    if (error instanceof ItemError) return rejected(error.message, label);
    throw error;
  }
  const object = `${label} ${safeId(data)}`.trim().slice(0, 128);
  const issues: ReadIssue[] = [...new Set(facts.notes)].map((reason) => ({
    severity: 'note',
    ...at,
    object,
    reason,
  }));
  return { index, nodes: facts.nodes, edgeSets: facts.edgeSets(), issues };
}

/** The item's id, if it has one, for the report. */
function safeId(data: Readonly<Record<string, unknown>>): string {
  try {
    return text(data, 'id');
  } catch {
    return '';
  }
}
