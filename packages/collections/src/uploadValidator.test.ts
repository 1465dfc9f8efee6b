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
    expect(verdict('{"graph":{"nodes":[{"id":"1"}],"edges":[]},"metadata":{}}')).toEqual({
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
    ['[]', 'file is not valid json'],
    ['{}', 'no valid meta tag or data tag found'],
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

  it('refuses invalid UTF-8', () => {
    const bytes = Buffer.from('{"data":["@"],"meta":{"type":"users"}}');
    bytes[bytes.indexOf('@')] = 0xff;
    expect(verdict(bytes)).toMatchObject({ code: 'not-json' });
  });

  it('knows the fault before the body has ended', () => {
    const validator = new UploadValidator();
    validator.write(Buffer.from('{"data":[{"a":tru},'));
    expect(validator.fault).toMatchObject({ code: 'not-json', offset: 9 });
  });

  it('leaves objects beyond the limits to the reader', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(verdict(`{"data":[${deep}],"meta":{"type":"users"}}`)).toMatchObject({ type: 'users' });
  });
});
