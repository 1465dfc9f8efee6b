import { parseJson } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScanLimits, StructureScanner, type StructureSink } from './structureScanner.ts';
import { parseGuess, parseValue } from './value.ts';

const LIMITS: ScanLimits = { maxDepth: 64, maxObjectBytes: 1 << 20, maxStringBytes: 1 << 20 };
const OUTLINE = { data: 'elements', graph: { nodes: 'elements', edges: 'elements' } } as const;

interface Seen {
  readonly events: unknown[];
  readonly fault: string | undefined;
  readonly faultOffset: number | undefined;
}

function scan(
  bytes: Uint8Array,
  {
    limits = LIMITS,
    cuts = [],
    guessing = true,
  }: { limits?: ScanLimits; cuts?: number[]; guessing?: boolean } = {},
): Seen {
  const events: unknown[] = [];
  const value = (path: string, index: number, part: Uint8Array, offset: number): void => {
    expect(Buffer.from(bytes.subarray(offset, offset + part.length))).toEqual(Buffer.from(part));
    const parsed = parseValue(part);
    events.push([path, index, offset, 'fault' in parsed ? 'malformed' : parsed.value]);
  };
  const sink: StructureSink = {
    member() {},
    entered: (path, offset) => events.push([path, 'entered', offset]),
    value,
    guess(path, index, part, offset) {
      if (!guessing || parseGuess(part, limits.maxDepth) === undefined) return false;
      value(path, index, part, offset);
      return true;
    },
    passes: () => false,
    omitted: (path, index, reason, offset) => events.push([path, index, offset, reason]),
  };
  const scanner = new StructureScanner(OUTLINE, sink, limits);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (let at = 1; at < edges.length; at++) {
    // A copy that is overwritten afterward, because the scanner must not keep a chunk.
    const chunk = Buffer.from(bytes.subarray(edges[at - 1], edges[at]));
    scanner.write(chunk);
    chunk.fill(0x7a);
  }
  scanner.end();
  return { events, fault: scanner.fault?.reason, faultOffset: scanner.fault?.offset };
}

function scanText(text: string, limits?: ScanLimits): Seen {
  return scan(Buffer.from(text), { limits });
}

/** JSON text with white space wherever the grammar allows it. */
function spaced(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((item) => spaced(item, space)).join(`${space},${space}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${space}:${space}${spaced(item, space)}`,
  );
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

const anySpace = fc.constantFrom('', ' ', '\r\n  ', '\t');
const anyCuts = fc.array(fc.nat(), { maxLength: 8 });

describe('the structure scanner', () => {
  it('finds the same values as JSON.parse, wherever the chunks are cut', () => {
    const documents = fc.record({
      data: fc.array(fc.jsonValue()),
      meta: fc.jsonValue(),
      other: fc.jsonValue(),
    });
    fc.assert(
      fc.property(documents, anySpace, anyCuts, fc.boolean(), (document, space, cuts, guessing) => {
        const bytes = Buffer.from(spaced(document, space));
        const { events, fault } = scan(bytes, { cuts, guessing });
        expect(fault).toBeUndefined();
        const found = events.filter((event) => (event as unknown[])[1] !== 'entered') as [
          string,
          number,
          number,
          unknown,
        ][];
        const parsed = parseJson(bytes.toString()) as typeof document;
        expect(found.filter(([path]) => path === 'data').map((event) => event[3])).toEqual(parsed.data);
        expect(found.filter(([path]) => path === 'data').map((event) => event[1])).toEqual([
          ...parsed.data.keys(),
        ]);
        expect(found.find(([path]) => path === 'meta')?.[3]).toEqual(parsed.meta);
        expect(found.find(([path]) => path === 'other')?.[3]).toEqual(parsed.other);
      }),
    );
  });

  it('gives the same result for any text, well formed or not, with and without guessing and in any chunks', () => {
    // Objects whose content looks like their end, so that guesses are wrong.
    const piece = fc.constantFrom(
      '{"a":1}',
      '{"a":{"a":2}}',
      '{"a":[{"a":1},{"a":2}]}',
      '{"a":"},{\\"a\\":"}',
      '{"a":"\\\\"}',
      '{"b":1}',
      '{"a":tru}',
      '{"a":[}',
      '"x"',
      '1',
      'null',
      '{',
      '}',
      ']',
      ',',
      '"',
      '\\',
      '{"a":"\u0000"}',
      '{"a":"é"}',
      '[[[[[[1]]]]]]',
    );
    const texts = fc
      .tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom(',', ', ', ''))
      .map(([pieces, separator]) => `{"data":[${pieces.join(separator)}],"meta":{"type":"users"}}`);
    const limits = { ...LIMITS, maxDepth: 4 };
    fc.assert(
      fc.property(texts, anyCuts, (text, cuts) => {
        const whole = scan(Buffer.from(text), { guessing: false, limits });
        expect(scan(Buffer.from(text), { cuts, limits })).toEqual(whole);
        expect(scan(Buffer.from(text), { cuts, guessing: false, limits })).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('enters nested arrays in either order and captures unknown members', () => {
    const { events } = scanText('{"$schema":"s","graph":{"edges":[1],"x":{},"nodes":[2,3]},"metadata":null}');
    expect(events).toEqual([
      ['$schema', -1, 11, 's'],
      ['graph', 'entered', 23],
      ['graph.edges', 'entered', 32],
      ['graph.edges', 0, 33, 1],
      ['graph.x', -1, 40, {}],
      ['graph.nodes', 'entered', 51],
      ['graph.nodes', 0, 52, 2],
      ['graph.nodes', 1, 54, 3],
      ['metadata', -1, 69, null],
    ]);
  });

  it('reads a member of the outline that is not an array or object as a value', () => {
    expect(scanText('{"data":{"a":1}}').events).toEqual([['data', -1, 8, { a: 1 }]]);
    expect(scanText('{"graph":[1]}').events).toEqual([['graph', -1, 9, [1]]]);
  });

  it('matches member names after unescaping', () => {
    expect(scanText('{"d\\u0061ta":[7]}').events).toEqual([
      ['data', 'entered', 13],
      ['data', 0, 14, 7],
    ]);
  });

  it('rejects only the element itself if it is balanced but malformed', () => {
    const { events, fault } = scanText('{"data":[{"a":1},{"a":tru},{"a" 2},{"a":3}]}');
    expect(fault).toBeUndefined();
    expect(events.map((event) => (event as unknown[])[3])).toEqual([
      undefined,
      { a: 1 },
      'malformed',
      'malformed',
      { a: 3 },
    ]);
  });

  it.each([
    ['', 'empty', 0],
    [' \r\n\t', 'empty', 4],
    ['{', 'truncated', 1],
    ['{"data"', 'truncated', 7],
    ['{"data":[{"a":"', 'truncated', 15],
    ['{"data":[1,', 'truncated', 11],
    ['{"data":[1]', 'truncated', 11],
    ['[]', 'not-object', 0],
    ['"x"', 'not-object', 0],
    ['{data:1}', 'malformed', 1],
    ['{"data" 1}', 'malformed', 8],
    ['{"data":}', 'malformed', 8],
    ['{"data":[1 2]}', 'malformed', 11],
    ['{"data":[,1]}', 'malformed', 9],
    ['{"data":[1,]}', 'malformed', 11],
    ['{"data":[{"a":[1}]}', 'malformed', 16],
    ['{"data":[1],}', 'malformed', 12],
    ['{"data":[1]}x', 'malformed', 12],
    ['{"data":[1]}{}', 'malformed', 12],
    ['{"a":1 "b":2}', 'malformed', 7],
    ['{"a\nb":1}', 'malformed', 5],
    [`{"${'k'.repeat(1025)}":1}`, 'malformed', 1026],
  ])('reports %j as %s at byte %i', (text, reason, offset) => {
    const { fault, faultOffset } = scanText(text);
    expect([fault, faultOffset]).toEqual([reason, offset]);
  });

  it('discards values above a limit and continues after them', () => {
    const limits = { maxDepth: 4, maxObjectBytes: 100, maxStringBytes: 20 };
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const text = `{"data":[1,${deep},2,"${'x'.repeat(21)}",3,[${'1,'.repeat(60)}1],4,[[[[]]]],"${'x'.repeat(20)}"],"meta":5}`;
    const expected = [undefined, 1, 'depth', 2, 'string', 3, 'size', 4, [[[[]]]], 'x'.repeat(20), 5];
    expect(scanText(text, limits).events.map((event) => (event as unknown[])[3])).toEqual(expected);
  });

  it('guesses the ends of uniform elements', () => {
    let guessed = 0;
    let found = 0;
    const sink: StructureSink = {
      member() {},
      entered() {},
      value: () => found++,
      passes: () => false,
      guess: (_path, _index, part) => parseGuess(part, 64) !== undefined && ++guessed > 0,
      omitted() {},
    };
    const objects = Array.from({ length: 100 }, (_, n) => ({
      Properties: { name: `U${n}` },
      Aces: [{ a: n }],
    }));
    const scanner = new StructureScanner(OUTLINE, sink, LIMITS);
    scanner.write(Buffer.from(spaced({ data: objects }, '\r\n ')));
    scanner.end();
    // The first element defines the mark, and none follows the last one.
    expect([guessed, found]).toEqual([98, 2]);
  });
});
