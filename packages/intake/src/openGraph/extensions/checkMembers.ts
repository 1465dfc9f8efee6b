/**
 * Reads a custom check, from its own file or from the `node_findings` of a definition, and reports every error
 * with its place.
 *
 * Rule: `docs/checks.md#the-file`.
 */
import { didYouMean } from '@clew/cypher';
import type { StoredCheckDefinition } from '@clew/store';
import { compiledQueries } from './compiledQueries.ts';
import { Faults, shown } from './faults.ts';
import { type KnownNames, knownNames, NO_OTHER_NAMES, type OtherNames } from './knownNames.ts';
import { markdownFaults } from './markdownFaults.ts';
import { isObject, Members } from './members.ts';
import { notKnown } from './notKnown.ts';
import { noteKind, noteText, type TextReading } from './textNotes.ts';

/** Pattern for names of checks without an extension. */
const CHECK_NAME = {
  pattern: /^Check_[A-Za-z0-9_]+$/,
  means: 'Check_, then letters, digits and underscores',
};
const KIND_NAME = /^[A-Za-z0-9_]{1,256}$/;

const DEFAULT_CATEGORY = 'Custom Checks';
const MAX_TITLE = 80;
const MAX_QUERY_LENGTH = 10_000;
const MAX_TECHNIQUES = 20;
const MAX_RELATIONS = 50;
const TECHNIQUE = /^T\d{4}(\.\d{3})?$/;
const SEVERITIES = ['low', 'moderate', 'high', 'critical', 'exposure', 'impact'] as const;
const DIRECTIONS = ['in', 'out'] as const;
const MEMBERS: ReadonlySet<string> = new Set([
  ...['name', 'title', 'category', 'severity', 'cypher', 'remediation', 'techniques', 'owner', 'repair'],
  ...['enabled', '$schema'],
]);

const REPAIR_MEMBERS: ReadonlySet<string> = new Set(['change', 'relationship_kinds', 'direction']);
const REMEDIATION_MEMBERS: ReadonlySet<string> = new Set([
  ...['short_description', 'long_description', 'short_remediation', 'long_remediation'],
]);

/** Rejects unknown members, because a misspelled member would be silently ignored. */
function refuseOthers(members: Members, known: ReadonlySet<string>, of: string): void {
  for (const name of members.names)
    if (!known.has(name)) members.fault(name, `is not a member of ${of}${didYouMean(name, known)}`);
}

/** Markdown texts of a document, which are checked after everything else. */
export type Texts = { readonly pointer: string; readonly text: string }[];

/** Reads the members of a check except its name and whether it is enabled. */
export function readCheckMembers(
  check: Members,
  texts: Texts,
  { compiled, known }: TextReading,
): StoredCheckDefinition {
  const cypher = check.text('cypher', { required: true, max: MAX_QUERY_LENGTH }).trim();
  const text = { members: check, member: 'cypher', text: cypher, use: 'check' } as const;
  if (cypher !== '') noteText(text, compiled({ text: cypher }), known);
  const remediation = check.object('remediation');
  if (remediation !== undefined) refuseOthers(remediation, REMEDIATION_MEMBERS, 'a remediation');
  const markdown = (name: keyof StoredCheckDefinition['remediation']): string => {
    const text = remediation?.text(name, { max: Number.POSITIVE_INFINITY }) ?? '';
    if (text !== '' && remediation !== undefined) texts.push({ pointer: remediation.at(name), text });
    return text;
  };
  const repair = readRepair(check, known);
  return {
    title: check.text('title', { required: true, max: MAX_TITLE }),
    category: check.text('category', { max: MAX_TITLE }) || DEFAULT_CATEGORY,
    severity: oneOf(check, 'severity', SEVERITIES, true) ?? 'exposure',
    cypher,
    remediation: {
      short_description: markdown('short_description'),
      long_description: markdown('long_description'),
      short_remediation: markdown('short_remediation'),
      long_remediation: markdown('long_remediation'),
    },
    techniques: techniquesOf(check),
    owner: check.text('owner'),
    ...(repair !== undefined && { repair }),
  };
}

function techniquesOf(check: Members): string[] {
  const given = check.texts('techniques', MAX_TECHNIQUES);
  for (const { text, pointer } of given)
    if (!TECHNIQUE.test(text))
      check.faultAt(pointer, `is not an ATT&CK technique such as T1078.002: ${shown(text)}`);
  return [...new Set(given.map(({ text }) => text))];
}

function readRepair(check: Members, known: KnownNames): StoredCheckDefinition['repair'] {
  const repair = check.object('repair');
  if (repair === undefined) return undefined;
  refuseOthers(repair, REPAIR_MEMBERS, 'a repair');
  oneOf(repair, 'change', ['remove-relation'] as const, true);
  const kinds = repair.texts('relationship_kinds', MAX_RELATIONS, true);
  for (const { text, pointer } of kinds)
    if (KIND_NAME.test(text)) noteKind(repair, pointer, text, known);
    else repair.faultAt(pointer, `is not a name of a relationship kind: ${shown(text)}`);
  if (kinds.length === 0 && repair.has('relationship_kinds')) repair.fault('relationship_kinds', 'is empty');
  return {
    change: 'remove-relation',
    relationship_kinds: [...new Set(kinds.map(({ text }) => text))],
    direction: oneOf(repair, 'direction', DIRECTIONS, true) ?? 'in',
  };
}

function oneOf<Value extends string>(
  members: Members,
  name: string,
  values: readonly Value[],
  required: boolean,
): Value | undefined {
  const text = members.text(name, { required });
  if (text === '') return undefined;
  // Matching is case-insensitive, as in requests.
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
  if (found === undefined) members.fault(name, notKnown(`is not one of ${values.join(', ')}`, text, values));
  return found;
}

export interface ReadCheck {
  readonly name: string;
  readonly enabled: boolean;
  readonly definition: StoredCheckDefinition;
  /** Warnings about unknown names in its query, each with its place. */
  readonly warnings: readonly string[];
}

/** @param document any JSON: one check without an extension @param others names that its query may use */
export async function readCheck(
  document: unknown,
  others: OtherNames = NO_OTHER_NAMES,
): Promise<ReadCheck | { readonly faults: Faults }> {
  const faults = new Faults();
  if (!isObject(document)) {
    faults.add('', `is not an object: ${shown(document)}`);
    return { faults };
  }
  const check = new Members(document, '', faults);
  const texts: Texts = [];
  refuseOthers(check, MEMBERS, 'a check');
  const name = check.text('name', { required: true, max: 100, ...CHECK_NAME });
  const enabled = check.flag('enabled', true);
  const reading = { compiled: await compiledQueries(document), known: knownNames(others) };
  const definition = readCheckMembers(check, texts, reading);
  await addMarkdownFaults(texts, faults);
  return faults.isEmpty ? { name, enabled, definition, warnings: faults.warnings() } : { faults };
}

export async function addMarkdownFaults(texts: Texts, faults: Faults): Promise<void> {
  const found = texts.length === 0 ? [] : await markdownFaults(texts.map(({ text }) => text));
  for (const [at, fault] of found.entries()) if (fault !== undefined) faults.add(texts[at].pointer, fault);
}
