/**
 * The outermost object of a collection file: its allowed members, and the location of its objects. The upload check, the header search and
 * the reader share it, so all three reach the same verdict.
 *
 * Rules: `docs/reference/collections.md#files` and `docs/reference/collections.md#archives` and `docs/reference/collections.md#opengraph`.
 */
import { BadFileError } from './badFileError.ts';
import { type FileFault, type FileFaultCode, fileFault } from './fileFault.ts';
import { type CollectionHeader, OPENGRAPH_HEADER } from './header.ts';
import type { Outline, StructureFault, StructureSink } from './json/structureScanner.ts';
import { type ParsedValue, parseGuess, parseValue } from './json/value.ts';
import type { OmittedReason } from './json/valueCapture.ts';
import { hasTooManyValues } from './json/valueCount.ts';
import type { ReadLimits } from './limits.ts';
import { readMeta, readMetadata } from './readHeader.ts';

/** Arrays read element by element. */
export const OUTLINE: Outline = { data: 'elements', graph: { nodes: 'elements', edges: 'elements' } };

const FIRST_FORMAT_WITH_DATA = 4;

const COLLECTION_MEMBERS: ReadonlySet<string> = new Set(['meta', 'data']);
const GRAPH_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'graph']);
const ONCE: ReadonlySet<string> = new Set([
  ...COLLECTION_MEMBERS,
  ...GRAPH_MEMBERS,
  'graph.nodes',
  'graph.edges',
]);

/** Receives the objects of a file. `section` is the path of their array: `data`, `graph.nodes`, `graph.edges`. */
export interface ObjectHandler {
  object(section: string, index: number, parsed: ParsedValue, offset: number, bytes: number): void;
  omitted(section: string, index: number, reason: OmittedReason, offset: number): void;
  /** Called before an object is parsed, with bytes that may be incomplete. @returns true if parsing is unnecessary */
  knows?(bytes: Uint8Array): boolean;
  /** Whether well-formed objects of this section are skipped. */
  passes?(section: string): boolean;
}

type ValueLimits = Pick<ReadLimits, 'maxDepth' | 'maxValues' | 'maxMembers'>;

export class Envelope implements StructureSink {
  readonly #handler: ObjectHandler | undefined;
  readonly #limits: ValueLimits;
  readonly #seen = new Set<string>();
  #header: CollectionHeader | undefined;
  #reachedObjects = false;
  /** Names of members with unknown names in `graph`, and of "nodes" and "edges" outside of it. */
  readonly #ignored = { inside: new Set<string>(), outside: new Set<string>() };

  /** @param handler without one, the objects are skipped and not parsed */
  constructor(limits: ValueLimits, handler?: ObjectHandler) {
    this.#limits = limits;
    this.#handler = handler;
  }

  /** Known after `meta`, `metadata` or `graph`; `metadata` after `graph` still extends it. */
  get header(): CollectionHeader | undefined {
    return this.#header;
  }

  /** Whether further members cannot change the header. */
  get isHeaderFinal(): boolean {
    if (this.#header?.format !== 'opengraph') return this.#header !== undefined;
    return this.#seen.has('graph') && this.#seen.has('metadata');
  }

  /** Whether the first object may have been read. */
  get reachedObjects(): boolean {
    return this.#reachedObjects;
  }

  /** @returns notes about members of a graph that were ignored */
  ignored(): string[] {
    const { inside, outside } = this.#ignored;
    const note = (names: ReadonlySet<string>, where: string): string[] =>
      names.size === 0 ? [] : [`${where} were ignored: ${[...names].join(', ')}`];
    return [...note(inside, 'unknown members of graph'), ...note(outside, 'members outside of graph')];
  }

  /** @returns the fault if required members are missing at the end */
  missing(): FileFault | undefined {
    const has = (name: string): boolean => this.#seen.has(name);
    if (has('graph')) return undefined;
    const { outside } = this.#ignored;
    const misplaced = outside.size === 0 ? undefined : `${[...outside].join(' and ')} must be in "graph"`;
    if (has('metadata')) return fileFault('no-data', misplaced ?? 'metadata without graph');
    if (!has('meta') && !has('data')) return fileFault('no-tags', misplaced ?? NOT_COLLECTED);
    if (!has('meta')) return fileFault('no-meta', 'the file does not specify what it describes');
    if (!has('data')) return fileFault('no-data', this.#oldFormat());
    return undefined;
  }

  /** Before format 4, the member was named after the type of its objects. */
  #oldFormat(): string | undefined {
    const { type, version } = this.#header ?? {};
    if (version === undefined || version >= FIRST_FORMAT_WITH_DATA) return undefined;
    return `the file is of format ${version}, which has its objects in "${type}"; collect again with a collector of 2022 or later`;
  }

  member(path: string, offset: number): void {
    if (!ONCE.has(path)) {
      this.#ignore(path);
      return;
    }
    if (this.#seen.has(path)) refuse('repeated-member', path, offset);
    this.#seen.add(path);
    const other = COLLECTION_MEMBERS.has(path) ? GRAPH_MEMBERS : COLLECTION_MEMBERS;
    if ([...other].some((name) => this.#seen.has(name))) refuse('mixed-formats', path, offset);
  }

  #ignore(path: string): void {
    const { inside, outside } = this.#ignored;
    const isInside = path.startsWith(IN_GRAPH);
    const names = isInside ? inside : outside;
    if ((isInside || MISPLACED.has(path)) && names.size < MAX_IGNORED)
      names.add(JSON.stringify(path.slice(isInside ? IN_GRAPH.length : 0).slice(0, MAX_IGNORED_NAME)));
  }

  entered(path: string): void {
    if (path === 'graph') this.#header ??= OPENGRAPH_HEADER;
    else this.#reachedObjects = true;
  }

  passes(path: string): boolean {
    return this.#handler?.passes?.(path) ?? false;
  }

  value(path: string, index: number, bytes: Uint8Array, offset: number): void {
    if (index >= 0) {
      if (this.#handler?.knows?.(bytes)) return;
      if (hasTooManyValues(bytes, this.#limits)) this.#handler?.omitted(path, index, 'values', offset);
      else this.#handler?.object(path, index, parseValue(bytes), offset, bytes.length);
      return;
    }
    if (Object.hasOwn(OUTLINE, path) || path === 'graph.nodes' || path === 'graph.edges') {
      refuse('invalid-data', `${path} is not ${path === 'graph' ? 'an object' : 'an array'}`, offset);
    }
    const parsed = parseValue(bytes);
    if ('fault' in parsed) refuse('not-json', parsed.fault, offset + parsed.at);
    if (path === 'metadata') this.#header = readMetadata(parsed.value, offset);
    if (path === 'meta') this.#header = readMeta(parsed.value, Buffer.from(bytes).toString('latin1'), offset);
  }

  guess(path: string, index: number, bytes: Uint8Array, offset: number): boolean {
    if (this.#handler === undefined) return false;
    if (this.#handler.knows?.(bytes)) return true;
    const parsed = parseGuess(bytes, this.#limits.maxDepth);
    if (parsed === undefined) return false;
    this.#handler.object(path, index, parsed, offset, bytes.length);
    return true;
  }

  omitted(path: string, index: number, reason: OmittedReason, offset: number): void {
    if (index >= 0) this.#handler?.omitted(path, index, reason, offset);
    else if (path === 'meta') refuse('no-meta', 'meta is too large', offset);
    else if (ONCE.has(path)) refuse('invalid-data', `${path} is too large`, offset);
  }
}

/** Converts a structure fault to a fault of the file. */
export function structureFault(fault: StructureFault): FileFault {
  const code: FileFaultCode = fault.reason === 'malformed' ? 'not-json' : fault.reason;
  return fileFault(code, code === 'empty' ? undefined : fault.detail, fault.offset);
}

const IN_GRAPH = 'graph.';
/** Members of `graph` that authors also write next to it. */
const MISPLACED: ReadonlySet<string> = new Set(['nodes', 'edges']);
/** Maximum number of ignored members in a report, and of characters of a name. */
const MAX_IGNORED = 10;
const MAX_IGNORED_NAME = 64;

const NOT_COLLECTED = 'the file is not one of SharpHound, AzureHound or an OpenGraph source';

function refuse(code: FileFaultCode, detail: string, offset: number): never {
  throw new BadFileError(fileFault(code, detail, offset));
}
