/** Converts search filters from text (RFC 4515, as far as programs use it) to the format of requests (RFC 4511, 4.5.1.7). */
import { berOctets, berSequence, berValue } from '../ber/writer.ts';

const TAG = {
  and: 0xa0,
  or: 0xa1,
  not: 0xa2,
  equal: 0xa3,
  substrings: 0xa4,
  atLeast: 0xa5,
  atMost: 0xa6,
  present: 0x87,
  extensible: 0xa9,
} as const;

/** Escapes a value for a filter (RFC 4515, 3). */
export function escapeFilterValue(value: string | Buffer): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return [...bytes]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || '()*\\'.includes(String.fromCharCode(byte))
        ? `\\${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
}

/** @throws Error with the position if the text is not a filter */
export function encodeFilter(text: string): Buffer {
  let at = 0;
  const expect = (character: string): void => {
    if (text[at] !== character) throw new Error(`filter ${text}: "${character}" is missing at ${at}`);
    at += 1;
  };
  const parse = (): Buffer => {
    expect('(');
    let result: Buffer;
    if (text[at] === '&' || text[at] === '|') {
      const tag = text[at] === '&' ? TAG.and : TAG.or;
      at += 1;
      const parts: Buffer[] = [];
      while (text[at] === '(') parts.push(parse());
      result = berValue(tag, ...parts);
    } else if (text[at] === '!') {
      at += 1;
      result = berValue(TAG.not, parse());
    } else {
      const end = text.indexOf(')', at);
      if (end < 0) throw new Error(`filter ${text}: ")" is missing`);
      result = encodeItem(text.slice(at, end));
      at = end;
    }
    expect(')');
    return result;
  };
  const filter = parse();
  if (at !== text.length) throw new Error(`filter ${text}: there is text after its end`);
  return filter;
}

function encodeItem(item: string): Buffer {
  const match = /^([\w.;-]+)(?::([\d.]+):)?(=|>=|<=)(.*)$/s.exec(item);
  if (match === null) throw new Error(`filter: ${item} is not a comparison`);
  const [, name, rule, sign, value] = match;
  if (rule !== undefined)
    return berValue(
      TAG.extensible,
      berValue(0x81, rule),
      berValue(0x82, name),
      berValue(0x83, unescaped(value)),
    );
  if (sign === '>=') return berValue(TAG.atLeast, berOctets(name), berOctets(unescaped(value)));
  if (sign === '<=') return berValue(TAG.atMost, berOctets(name), berOctets(unescaped(value)));
  if (value === '*') return berValue(TAG.present, name);
  if (!value.includes('*')) return berValue(TAG.equal, berOctets(name), berOctets(unescaped(value)));
  const parts = value.split('*');
  const tagOf = (at: number): number => (at === 0 ? 0x80 : at === parts.length - 1 ? 0x82 : 0x81);
  const substrings = parts.flatMap((part, at) => (part === '' ? [] : [berValue(tagOf(at), unescaped(part))]));
  return berValue(TAG.substrings, berOctets(name), berSequence(...substrings));
}

function unescaped(value: string): Buffer {
  return Buffer.concat(
    value
      .split(/(\\[0-9a-fA-F]{2})/)
      .map((part) =>
        /^\\[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part),
      ),
  );
}
