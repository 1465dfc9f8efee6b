/**
 * A context for tests that holds every reader to its declaration: reading anything else throws, and declared inputs that were never read
 * can be listed at the end. An undeclared input would not be loaded, or not be derived in time; an unused one is loaded for nothing.
 */
import type { EdgeProperties, JsonObject, NodeProperties } from '@clew/graph';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { AnalysisContext, type AnalysisInput, type Reads, type Shared } from '../src/analysisContext.ts';
import type { DerivedKindEdges } from '../src/derivedEdges.ts';

/** A rule, a finding type, a shared structure: anything that declares its reads. */
export interface Reader {
  readonly name: string;
  readonly reads: Reads;
}

/** Records the reads in all contexts of one test file. */
export class Observation {
  readonly #used = new Map<string, Set<string>>();

  contextOf(input: AnalysisInput): AnalysisContext {
    return new ObservedContext(input, this);
  }

  note(reader: string, what: string): void {
    const used = this.#used.get(reader) ?? new Set();
    this.#used.set(reader, used.add(what));
  }

  /** @returns `reader: what` for each declaration of these readers that nothing read. */
  unused(readers: Iterable<Reader>): string[] {
    return [...readers].flatMap(({ name, reads }) => {
      const used = this.usedBy(name);
      return declared(reads)
        .filter((what) => !used.has(what))
        .map((what) => `${name}: ${what}`);
    });
  }

  /** @returns the observed reads of a reader. */
  usedBy(reader: string): ReadonlySet<string> {
    return this.#used.get(reader) ?? new Set();
  }
}

/** @returns the structures that these readers share, and those they are built on. */
export function sharedOf(readers: Iterable<Reader>): ReadonlySet<Shared<unknown>> {
  const found = new Set([...readers].flatMap(({ reads }) => reads.shared ?? []));
  for (const { reads } of found) for (const shared of reads.shared ?? []) found.add(shared);
  return found;
}

function declared({ edges = [], nodeProperties = [], edgeProperties = {}, shared = [] }: Reads): string[] {
  return [
    ...edges.map((kind) => `edge ${kind}`),
    ...nodeProperties.map((key) => `property ${key}`),
    ...Object.entries(edgeProperties).flatMap(([kind, keys]) =>
      keys.map((key) => `property ${key} of ${kind}`),
    ),
    ...shared.map(({ name }) => `structure ${name}`),
  ];
}

class ObservedContext extends AnalysisContext {
  readonly #input: AnalysisInput;
  readonly #observation: Observation;
  readonly #values = new Map<Shared<unknown>, unknown>();

  constructor(input: AnalysisInput, observation: Observation) {
    super(input);
    this.#input = input;
    this.#observation = observation;
  }

  override readingFor(reader: string, reads: Reads): AnalysisContext {
    return new ReadingContext(this, this.#input, reader, reads, this.#observation);
  }

  override use<Value>(shared: Shared<Value>): Value {
    if (!this.#values.has(shared)) {
      this.#values.set(shared, shared.build(this.readingFor(shared.name, shared.reads)));
    }
    return this.#values.get(shared) as Value;
  }
}

/** The context as one reader sees it. */
class ReadingContext extends AnalysisContext {
  readonly #whole: ObservedContext;
  readonly #expect: (what: string) => void;

  constructor(
    whole: ObservedContext,
    input: AnalysisInput,
    reader: string,
    reads: Reads,
    observation: Observation,
  ) {
    const allowed = new Set(declared(reads));
    const expectDeclared = (what: string): void => {
      observation.note(reader, what);
      if (!allowed.has(what)) throw new Error(`${reader} reads the ${what} without saying so`);
    };
    super({
      ...input,
      properties: guardedNodeProperties(input.properties, expectDeclared),
      edgeProperties: guardedEdgeProperties(input.edgeProperties, expectDeclared),
    });
    this.#whole = whole;
    this.#expect = expectDeclared;
  }

  override use<Value>(shared: Shared<Value>): Value {
    this.#expect(`structure ${shared.name}`);
    return this.#whole.use(shared);
  }

  override nodesOf(kind: Parameters<AnalysisContext['nodesOf']>[0]) {
    return this.#whole.nodesOf(kind);
  }

  override edges(...kinds: readonly EdgeKindName[]) {
    for (const kind of kinds) this.#expect(`edge ${kind}`);
    return this.#whole.edges(...kinds);
  }

  override warn(message: string): void {
    this.#whole.warn(message);
  }

  override addDerived(edges: DerivedKindEdges): void {
    this.#whole.addDerived(edges);
  }

  override readingFor(reader: string, reads: Reads): AnalysisContext {
    return this.#whole.readingFor(reader, reads);
  }
}

/** Methods that read one property, named by their first argument. */
const BY_KEY: ReadonlySet<PropertyKey> = new Set<keyof NodeProperties>([
  'flag',
  'text',
  'texts',
  'number',
  'list',
  'value',
  'nodesWhere',
  'nodesWith',
  'nodesMatching',
]);

function guardedNodeProperties(properties: NodeProperties, expect: (what: string) => void): NodeProperties {
  return new Proxy(properties, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (!BY_KEY.has(name)) throw new Error(`a reader must not call ${String(name)}: it reads everything`);
      return (key: string, ...rest: unknown[]) => {
        expect(`property ${key}`);
        return member.call(target, key, ...rest);
      };
    },
  });
}

function guardedEdgeProperties(properties: EdgeProperties, expect: (what: string) => void): EdgeProperties {
  return new Proxy(properties, {
    get(target, name) {
      if (name !== 'get') throw new Error(`a reader must not call ${String(name)}: it reads everything`);
      return (start: number, kind: number, end: number): JsonObject | undefined => {
        const found = target.get(start, kind, end);
        // Missing values are also requested.
        return new Proxy(found ?? {}, {
          get(object, key) {
            expect(`property ${String(key)} of ${edgeKindById(kind)?.name}`);
            return Reflect.get(object, key);
          },
        });
      };
    },
  });
}
