import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from './fileFault.ts';
import type { CollectionHeader } from './header.ts';
import { UploadValidator } from './uploadValidator.ts';

function verdict(text: string | Buffer, chunkBytes = 7): CollectionHeader | FileFault {
  const validator = new UploadValidator();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) validator.write(bytes.subarray(at, at + chunkBytes));
  return validator.finish();
}

describe('UploadValidator', () => {
  it.each([
    '{"data":[{"ObjectIdentifier":"S-1"}],"meta":{"type":"users","version":6}}',
    '{"meta":{"type":"users","version":6},"data":[]}',
    ' {"$schema":"x","meta":{"type":"users","version":6},"data":[1]}\r\n',
    '\ufeff{"data":[],"meta":{"type":"users","version":6}}',
  ])('accepts %j', (text) => {
    expect(verdict(text)).toMatchObject({ format: 'sharphound', type: 'users', version: 6 });
  });

  it('accepts other encodings by their mark', () => {
    expect(verdict(Buffer.from('\ufeff{"data":[],"meta":{"type":"gpos"}}', 'utf16le'))).toMatchObject({
      type: 'gpos',
    });
  });

  it('accepts a graph', () => {
    expect(verdict('{"graph":{"nodes":[{"id":"1","kinds":["A"]}],"edges":[]},"metadata":{}}')).toEqual({
      format: 'opengraph',
    });
  });

  it.each([
    ['', 'file is not valid json'],
    ['{', 'file is not valid json'],
    ['{"data":[{"a":1}', 'file is not valid json'],
    ['{"data":[{"a":}],"meta":{"type":"users"}}', 'file is not valid json'],
    ['{"data":[{"a":1,}],"meta":{"type":"users"}}', 'file is not valid json'],
    ['{"data":[],"meta":{"type":"users"}} x', 'file is not valid json'],
    ['{"data":[],"meta":{"type":"users"},"x":nope}', 'file is not valid json'],
    ['[1,2,3]', "the file is not a JSON object: it begins with '\\['"],
    ['"text"', 'the file is not a JSON object'],
    ['Dear all', 'file is not valid json'],
    ['{}', 'no valid meta tag or data tag found'],
    [
      '{"nodes":[],"edges":[]}',
      'no valid meta tag or data tag found: "nodes" and "edges" must be in "graph"',
    ],
    ['{"edges":[]}', 'no valid meta tag or data tag found: "edges" must be in "graph"'],
    ['{"metadata":{},"nodes":[]}', 'no data tag found: "nodes" must be in "graph"'],
    ['{"data":[]}', 'no valid meta tag found'],
    ['{"data":[],"meta":{"type":"printers"}}', 'no valid meta tag found'],
    ['{"meta":{"type":"users"}}', 'no data tag found'],
    ['{"meta":{"type":"users"},"data":{}}', 'invalid data tag found'],
    ['{"meta":{"type":"users"},"data":[],"graph":{}}', 'collection members and graph members are mixed'],
  ])('refuses %j: %s', (text, message) => {
    for (const chunkBytes of [1, 1000]) {
      const fault = verdict(text, chunkBytes);
      expect(fault).toHaveProperty('message', expect.stringMatching(new RegExp(`^${message}`)));
    }
  });

  describe('in a graph', () => {
    const graph = (nodes: readonly unknown[], edges: readonly unknown[] = [], more: object = {}): string =>
      JSON.stringify({ graph: { nodes, edges }, ...more });

    it('reports every problem with its position', () => {
      const nodes = [{ id: 'A', kinds: ['Person'] }, { id: '', kinds: ['Tag_x'] }, 5];
      const edges = [{ kind: 'not good', start: { value: 'A' }, end: { match_by: 'property' } }];
      expect(verdict(graph(nodes, edges))).toMatchObject({
        code: 'schema',
        problems: [
          'graph.nodes[1].id must be a text that is not empty',
          'graph.nodes[1].kinds[0] must not begin with Tag_, which is reserved',
          'graph.nodes[2] must be an object',
          'graph.edges[0].kind must be a text of letters, digits and underscores',
          'graph.edges[0].end.property_matchers must be a list with at least one matcher',
        ],
      });
    });

    it('stops after 15 faulty objects, before the body has ended', () => {
      const validator = new UploadValidator();
      validator.write(Buffer.from(`{"graph":{"nodes":[${'{"kinds":[]},'.repeat(16)}`));
      expect(validator.fault?.problems).toHaveLength(15);
    });

    it('accepts nodes without kinds if a source kind is named, even at the end', () => {
      const nodes = [{ id: 'A', kinds: [] }];
      expect(verdict(graph(nodes))).toMatchObject({
        problems: ['graph.nodes[0].kinds must have at least one kind when there is no source kind'],
      });
      expect(verdict(graph(nodes, [], { metadata: { source_kind: 'My' } }))).toMatchObject({
        sourceKind: 'My',
      });
    });

    it('refuses a reserved source kind', () => {
      expect(verdict(graph([], [], { metadata: { source_kind: 'Tag_My' } }))).toMatchObject({
        code: 'invalid-metadata',
      });
    });
  });

  it('refuses invalid UTF-8', () => {
    const bytes = Buffer.from('{"data":["@"],"meta":{"type":"users"}}');
    bytes[bytes.indexOf('@')] = 0xff;
    expect(verdict(bytes)).toMatchObject({ code: 'encoding', offset: 10 });
  });

  it('reports that Windows-1252 text is not UTF-8, and the byte, in pieces of any size', () => {
    const good = Buffer.from(
      '{"data":[{"name":"\u00e9l\u00e8ve \u{1f600} M\u00fcller"}],"meta":{"type":"users","version":6}}',
    );
    const at = good.indexOf('M\u00fcller') + 1;
    const bad = Buffer.concat([good.subarray(0, at), Buffer.from([0xfc]), good.subarray(at + 2)]);
    const inPieces = (bytes: Buffer, size: number) => {
      const validator = new UploadValidator();
      for (let from = 0; from < bytes.length; from += size)
        validator.write(bytes.subarray(from, from + size));
      return validator.finish();
    };
    for (let size = 1; size <= bad.length; size++) {
      expect(inPieces(good, size)).toMatchObject({ type: 'users' });
      expect(inPieces(bad, size)).toEqual({
        code: 'encoding',
        offset: at,
        message: 'file is not valid json: the text is not valid in its encoding: it is not UTF-8',
      });
    }
  });

  it('reports the fault before the body has ended', () => {
    const validator = new UploadValidator();
    validator.write(Buffer.from('{"data":[{"a":tru},'));
    expect(validator.fault).toMatchObject({ code: 'not-json', offset: 17 });
  });

  it('reaches the same verdict whether objects arrive complete or in pieces', () => {
    const object = JSON.stringify({ id: 'é', list: [1, -2.5e3, true, null, 'a\\"b'], more: { of: {} } });
    const text = Buffer.from(`{"data":[${object}, ${object},${object}],"meta":{"type":"users"}}`);
    const damage = fc.tuple(
      fc.nat(text.length - 1),
      fc.constantFrom(...Buffer.from('{}[]:,"\\u01ae. \n\xff', 'latin1')),
    );
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 2 }), (changes) => {
        const bytes = Buffer.from(text);
        for (const [at, byte] of changes) bytes[at] = byte;
        // In single bytes, no object can be skipped.
        expect(verdict(bytes, 1000)).toEqual(verdict(bytes, 1));
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves objects above the limits to the reader', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(verdict(`{"data":[${deep}],"meta":{"type":"users"}}`)).toMatchObject({ type: 'users' });
  });
});
