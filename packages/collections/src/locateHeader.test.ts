import { describe, expect, it } from 'vitest';
import { textSource } from '../test/index.ts';
import { DEFAULT_READ_LIMITS } from './limits.ts';
import { sniffCollection } from './readCollection.ts';
import { type CollectionSource, DamagedSourceError, sourceFromBytes } from './source.ts';

const META = '"meta":{"type":"users","version":6,"methods":521215,"count":1,"collectorversion":"2.5.7.0"}';
const USERS = {
  format: 'sharphound',
  type: 'users',
  version: 6,
  methods: 521_215n,
  collectorVersion: '2.5.7.0',
};
const OBJECT = `{"ObjectIdentifier":"S-1-5-21-1","Properties":{"description":"${'x'.repeat(1000)}"}}`;
const LONG_DATA = `"data":[${Array.from({ length: 400 }, () => OBJECT).join(',')}]`;

/** A source that can only be read from the start, in small chunks, and counts its passes. */
function stream(text: string, name = 'file.json'): CollectionSource & { passes: number } {
  const bytes = Buffer.from(text);
  return {
    name,
    passes: 0,
    async *open() {
      this.passes++;
      for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000);
    },
  };
}

describe('sniffCollection', () => {
  it('finds meta at the beginning', async () => {
    const source = stream(`{${META},${LONG_DATA}}`);
    expect(await sniffCollection(source)).toEqual(USERS);
    expect(source.passes).toBe(1);
  });

  it('finds meta in the last bytes of a file with random access', async () => {
    expect(await sniffCollection(textSource(`{${LONG_DATA},\r\n ${META} }\r\n`))).toEqual(USERS);
  });

  it('finds meta at the end of a stream in one more pass', async () => {
    const source = stream(`{${LONG_DATA},${META}}`);
    expect(await sniffCollection(source)).toEqual(USERS);
    expect(source.passes).toBe(2);
  });

  it('finds meta before another long member', async () => {
    const text = `{${LONG_DATA},${META},"other":"${'x'.repeat(100_000)}"}`;
    expect(await sniffCollection(textSource(text))).toEqual(USERS);
  });

  it('finds meta in a file of UTF-16', async () => {
    const bytes = Buffer.from(`\ufeff{${LONG_DATA},${META}}`, 'utf16le');
    expect(await sniffCollection(sourceFromBytes('users.json', bytes))).toEqual(USERS);
  });

  it('is not misled by text in the objects that looks like meta', async () => {
    const lure = '{"a":"\\"meta\\":{\\"type\\":\\"groups\\"}}","meta":{"type":"groups"}}';
    for (const text of [
      `{"data":[${lure}],${META}}`,
      `{${META},"data":[${lure}]}`,
      `{${LONG_DATA},${META},"x":${lure}}`,
    ]) {
      expect(await sniffCollection(stream(text))).toEqual(USERS);
    }
  });

  it('keeps all 64 bits of methods', async () => {
    const text = (methods: string): string => `{"data":[],"meta":{"type":"users","methods":${methods}}}`;
    const methods = async (digits: string): Promise<unknown> => {
      const header = await sniffCollection(textSource(text(digits)));
      return 'methods' in header ? header.methods : header;
    };
    expect(await methods('9223372036854775809')).toBe(9_223_372_036_854_775_809n);
    expect(await methods('-1')).toBe(18_446_744_073_709_551_615n);
    expect(await methods('null')).toBeUndefined();
  });

  it('reads version and methods that are missing or text', async () => {
    expect(await sniffCollection(textSource('{"meta":{"type":"domains","version":"5"},"data":[]}'))).toEqual({
      format: 'sharphound',
      type: 'domains',
      version: 5,
    });
  });

  it.each([
    ['azure', 'azurehound'],
    ['deleted', 'sharphound'],
    ['localgroups', 'sharphound'],
    ['sitesubnets', 'sharphound'],
  ])('knows the type %s', async (type, format) => {
    expect(await sniffCollection(textSource(`{"data":[],"meta":{"type":"${type}"}}`))).toMatchObject({
      format,
      type,
    });
  });

  it('recognizes a graph', async () => {
    expect(await sniffCollection(textSource('{"graph":{"nodes":[]}}'))).toEqual({ format: 'opengraph' });
    expect(await sniffCollection(stream('{"metadata":{},"graph":{}}'))).toEqual({ format: 'opengraph' });
  });

  it.each([
    ['', 'empty'],
    ['nonsense', 'not-json'],
    ['[1,2]', 'not-object'],
    ['{}', 'no-tags'],
    ['{"other":1}', 'no-tags'],
    ['{"data":[]}', 'no-meta'],
    ['{"data":[{}],"meta":[]}', 'no-meta'],
    ['{"data":[],"meta":{}}', 'no-meta'],
    ['{"data":[],"meta":{"type":7}}', 'no-meta'],
    ['{"data":[],"meta":{"type":"USERS"}}', 'unknown-type'],
    ['{"data":[],"meta":{"type":"opengraph"}}', 'unknown-type'],
    ['{"data":[],"meta":{"type":"constructor"}}', 'unknown-type'],
    ['{"data":{},"meta":{"type":"users"}}', 'invalid-data'],
    ['{"data":[],"graph":{}}', 'mixed-formats'],
    ['{"data":[],"data":[]}', 'repeated-member'],
    ['{"metadata":{}}', 'no-data'],
    ['{"data":[{"a":1}', 'truncated'],
    ['PK\u0003\u0004...', 'nested-archive'],
    ['\u001f', 'not-json'],
  ])('answers %j with %s', async (text, code) => {
    expect(await sniffCollection(textSource(text))).toMatchObject({ code });
  });

  it('takes the type of a file that is cut off before meta from its name', async () => {
    for (const name of ['20240305110018_users.json', 'run/Users.JSON', 'BloodHound-users.json']) {
      const header = await sniffCollection(stream(`{${LONG_DATA.slice(0, -30)}`, name));
      expect(header).toEqual({ format: 'sharphound', type: 'users', assumed: true });
    }
  });

  it('does not take the type of a complete file from its name', async () => {
    expect(await sniffCollection(stream('{"data":[]}', 'users.json'))).toMatchObject({ code: 'no-meta' });
  });

  it('distinguishes damage of the source from its failures', async () => {
    const failing = (error: Error): CollectionSource => ({
      name: 'x.json',
      // biome-ignore lint/correctness/useYield: it fails before its first chunk
      async *open() {
        throw error;
      },
    });
    expect(await sniffCollection(failing(new DamagedSourceError('cut off')))).toMatchObject({
      code: 'damaged',
    });
    await expect(sniffCollection(failing(new Error('no connection')))).rejects.toThrow('no connection');
  });

  it('stops on request', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(
      sniffCollection(stream('{"data":[]}'), { signal, limits: DEFAULT_READ_LIMITS }),
    ).rejects.toThrow('stopped');
  });
});
