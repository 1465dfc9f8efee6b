import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginSignature, parseRequestDate, parseSignature, signatureFits } from './requestSignature.ts';

/** A second implementation of the four steps in `docs/reference/api.md#signed-requests`. */
function signAsSpecified(
  key: string,
  method: string,
  uri: string,
  requestDate: string,
  body: Buffer,
): string {
  const mac = (macKey: string | Buffer, message: string | Buffer) =>
    createHmac('sha256', macKey).update(message).digest();
  const d1 = mac(key, Buffer.from(`${method}${uri}`, 'latin1'));
  const d2 = mac(d1, requestDate.substring(0, 13));
  const d3 = mac(d2, body);
  return d3.toString('base64');
}

describe('the signature chain', () => {
  it('verifies anything signed according to the specification, in any chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        fc.uint8Array().map((bytes) => `/${Buffer.from(bytes).toString('latin1')}`),
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }),
        (key, method, target, chunks) => {
          const date = '2024-05-01T10:20:30.123456+02:00';
          const signature = signAsSpecified(key, method, target, date, Buffer.concat(chunks));
          const chain = beginSignature(key, method, target, parseRequestDate(date)!.hour);
          for (const chunk of chunks) chain.update(chunk);
          expect(signatureFits(chain, parseSignature(signature)!)).toBe(true);
        },
      ),
    );
  });

  it('depends on every part', () => {
    const parts = ['key', 'GET', '/api/v2/self?a=%26', '2024-05-01T10', 'body'];
    const digest = (given: readonly string[]) =>
      beginSignature(given[0], given[1], given[2], given[3]).update(given[4]).digest('base64');
    const right = digest(parts);
    const decoded = parts[2].replace('%26', '&');
    const changed = [
      digest(parts.with(0, 'kez')),
      digest(parts.with(1, 'PUT')),
      digest(parts.with(2, decoded)),
      digest(parts.with(3, '2024-05-01T11')),
      digest(parts.with(4, '')),
    ];
    expect(new Set([right, ...changed]).size).toBe(6);
  });
});

describe('RequestDate', () => {
  it.each([
    ['2024-05-01T10:20:30Z', '2024-05-01T10:20:30.000Z'],
    ['2024-05-01T10:20:30z', '2024-05-01T10:20:30.000Z'],
    ['2024-05-01t10:20:30Z', '2024-05-01T10:20:30.000Z'],
    ['2024-05-01T10:20:30.123456+02:00', '2024-05-01T08:20:30.123Z'],
    ['2024-05-01T10:20:30.123456789-11:30', '2024-05-01T21:50:30.123Z'],
    ['2024-01-01T00:10:00+14:00', '2023-12-31T10:10:00.000Z'],
    ['2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    const date = parseRequestDate(text);
    expect(new Date(date!.instant).toISOString()).toBe(instant);
    expect(date!.hour).toBe(text.slice(0, 13));
  });

  it.each([
    '',
    '2024-05-01',
    '2024-05-01 10:20:30Z',
    '2024-05-01T10:20:30',
    '2024-05-01T10:20Z',
    '2024-13-01T10:20:30Z',
    '2024-02-30T10:20:30Z',
    '2023-02-29T10:20:30Z',
    '2024-05-01T24:00:00Z',
    '2024-05-01T10:60:00Z',
    '2024-05-01T10:20:61Z',
    '2024-05-01T10:20:30+24:00',
    '2024-05-01T10:20:30+0200',
    '2024-05-01T10:20:30.Z',
    '2024-05-01T10:20:30.1234567890Z',
    '2024-05-01T10:20:30Z ',
    '2024-05-01T10:20:30Z, 2024-05-01T10:20:30Z',
    'Wed, 01 May 2024 10:20:30 GMT',
    '1714558830',
  ])('refuses %j', (text) => {
    expect(parseRequestDate(text)).toBeUndefined();
  });

  it('agrees with the platform on every date it accepts', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') }),
        (date) => {
          expect(parseRequestDate(date.toISOString())?.instant).toBe(date.getTime());
        },
      ),
    );
  });
});

describe('Signature header', () => {
  it.each(['', 'AAAA', 'A'.repeat(44), `${'A'.repeat(42)}==`, `${'A'.repeat(42)}-=`, ` ${'A'.repeat(43)}=`])(
    'refuses %j',
    (text) => {
      expect(parseSignature(text)).toBeUndefined();
    },
  );
});
