/**
 * Validates the meaning of a query or a pattern: its columns must fit its use, and kinds in its namespace must be
 * declared. Unknown names cause warnings with suggestions.
 *
 * Rule: `docs/extensions.md#compilation`.
 */
import { didYouMean, type NamedAt, nearestName, placedText, type QueryOutline } from '@clew/cypher';
import { nodeKindByName, PROPERTY_NAMES } from '@clew/model';
import type { Compiled } from './compiledQueries.ts';
import type { CompiledText } from './compiledText.ts';
import type { KnownNames } from './knownNames.ts';
import type { Members } from './members.ts';

/**
 * How rows are used: a `check` reports the object in the first column, a `rule` adds all objects in its rows to
 * the zone.
 */
export type TextUse = 'check' | 'rule' | 'pattern' | 'search';

/** Maximum number of columns of a check after the object. */
const MAX_EVIDENCE = 20;

export interface DocumentText {
  readonly members: Members;
  /** Name of the member that contains the text. */
  readonly member: string;
  readonly text: string;
  readonly use: TextUse;
}

/** Context for reading the texts of a document. */
export interface TextReading {
  readonly compiled: Compiled;
  readonly known: KnownNames;
}

/** Adds warnings about the name of a relationship kind. @param pointer its place */
export function noteKind(members: Members, pointer: string, name: string, known: KnownNames): void {
  const given = [{ name, at: 0 }];
  for (const { message, isOwn } of kindNotes(given, 'relationship kind', known.types, known.ownTypes, known))
    if (isOwn) members.faultAt(pointer, message);
    else members.warnAt(pointer, message);
}

/**
 * Adds the errors and warnings of a text. Errors of a saved search become warnings, because nothing else depends
 * on it.
 */
export function noteText(
  { members, member, text, use }: DocumentText,
  { fault, outline }: CompiledText,
  known: KnownNames,
): void {
  const warn = (message: string): void => members.warn(member, message);
  const refuse = (message: string): void => {
    if (use === 'search') warn(`${message}; it is kept unchanged`);
    else members.fault(member, message);
  };
  if (fault !== undefined) refuse(fault);
  if (outline === undefined) return;
  const rows = rowsFault(outline, use);
  if (rows !== undefined) refuse(rows);
  for (const { message, at, isOwn } of nameNotes(outline, known)) {
    const placed = placedText(message, text, Math.min(at, text.length));
    if (isOwn) refuse(placed);
    else warn(placed);
  }
}

function rowsFault({ columns }: QueryOutline, use: TextUse): string | undefined {
  const [first, ...evidence] = columns;
  if (use === 'check') {
    if (first === undefined) return 'returns nothing: the first column must contain the object';
    if (first.isFigure)
      return `its first column, \`${first.name}\`, is a count: it must contain the object, one per row`;
    if (first.holds !== 'node' && first.holds !== 'any')
      return `its first column, \`${first.name}\`, is not a node: it must contain the object`;
    if (evidence.length > MAX_EVIDENCE) return `returns more than ${MAX_EVIDENCE} columns of evidence`;
  }
  if (use === 'rule' && columns.every(({ holds }) => holds === 'plain' || holds === 'relationship'))
    return columns.some(({ isFigure }) => isFigure)
      ? 'counts objects: a selector must return the objects themselves'
      : 'returns no objects: a selector must return nodes or paths';
  return undefined;
}

interface NameNote {
  readonly message: string;
  readonly at: number;
  /** Whether it is an undeclared kind in the definition's own namespace. */
  readonly isOwn: boolean;
}

function nameNotes(
  { labels, types, labelsOrTypes, properties }: QueryOutline,
  known: KnownNames,
): NameNote[] {
  const either = new Set([...known.labels, ...known.types]);
  const ownEither = new Set([...known.ownLabels, ...known.ownTypes]);
  return [
    ...kindNotes(labels, 'node kind', known.labels, known.ownLabels, known),
    ...kindNotes(types, 'relationship kind', known.types, known.ownTypes, known),
    ...kindNotes(labelsOrTypes, 'kind', either, ownEither, known),
    ...properties.flatMap((one) => propertyNote(one, known)),
  ];
}

function kindNotes(
  names: readonly NamedAt[],
  what: string,
  all: ReadonlySet<string>,
  own: ReadonlySet<string>,
  { namespace, ofOthers }: KnownNames,
): NameNote[] {
  return names.flatMap(({ name, at }): NameNote[] => {
    if (own.has(name)) return [];
    if (namespace !== '' && name.startsWith(`${namespace}_`) && !ofOthers.has(name))
      return [
        {
          ...{ at, isOwn: true },
          message: `\`${name}\` is not a ${what} of this definition${didYouMean(name, own)}`,
        },
      ];
    if (all.has(name)) return [];
    return [{ at, isOwn: false, message: `unknown ${what} \`${name}\`${didYouMean(name, all)}` }];
  });
}

/** Warns about an unknown property that is similar to a property of such nodes. */
function propertyNote(
  { name, at, labels }: QueryOutline['properties'][number],
  known: KnownNames,
): NameNote[] {
  if (known.properties.has(name)) return [];
  const meant = meantProperty(name, labels, known);
  if (meant === undefined) return [];
  return [{ at, isOwn: false, message: `unknown property \`${name}\`: did you mean ${meant}?` }];
}

/**
 * @param labels labels of the nodes, as far as the text contains them
 * @returns a built-in property for built-in kinds; for other kinds a property of stored data, because their
 * properties are not declared; for any node, the same name in another case
 */
export function meantProperty(
  name: string,
  labels: readonly string[],
  { properties }: Pick<KnownNames, 'properties'>,
): string | undefined {
  if (properties.has(name)) return undefined;
  if (labels.length === 0) {
    const lower = name.toLowerCase();
    return properties.has(lower) ? lower : undefined;
  }
  if (labels.every((label) => nodeKindByName(label) !== undefined || label.startsWith('Tag_')))
    return nearestName(name, PROPERTY_NAMES);
  const stored = [...properties].filter((one) => !PROPERTY_NAMES.has(one));
  return nearestName(name, stored);
}
