/** Attribute values of an object by type. Attribute names are in lower case. */
import { readGuid, readSid } from '../descriptor/ids.ts';
import type { Attributes } from '../ldap/messages.ts';

export const text = (attributes: Attributes, name: string): string | undefined =>
  attributes.get(name)?.[0]?.toString('utf8');

export const texts = (attributes: Attributes, name: string): readonly string[] =>
  (attributes.get(name) ?? []).map((value) => value.toString('utf8'));

export function wholeNumber(attributes: Attributes, name: string): number | undefined {
  const value = text(attributes, name);
  return value === undefined || !/^-?\d+$/.test(value) ? undefined : Number(value);
}

/** @returns whether all bits of `mask` are set in a 32-bit number, which may be written as negative */
export const hasBits = (value: number, mask: number): boolean => ((value | 0) & mask) === (mask | 0);

/** @returns the SID; '' if missing @throws DescriptorError */
export function sidOf(attributes: Attributes, name = 'objectsid'): string {
  const bytes = attributes.get(name)?.[0];
  return bytes === undefined ? '' : readSid(bytes).sid;
}

/** @returns the GUID in upper case; '' if missing @throws DescriptorError */
export function guidOf(attributes: Attributes, name = 'objectguid'): string {
  const bytes = attributes.get(name)?.[0];
  return bytes === undefined ? '' : readGuid(bytes).toUpperCase();
}

export interface ExtendedName {
  /** In upper case; '' if the name has none. */
  readonly guid: string;
  readonly sid: string;
  readonly dn: string;
}

/** Parts of a name in its extended form: `<GUID=...>;<SID=...>;CN=...` (MS-ADTS 3.1.1.3.4.1.5). */
export function extendedName(value: Buffer | string): ExtendedName {
  const whole = typeof value === 'string' ? value : value.toString('utf8');
  const parts = { guid: '', sid: '' };
  let dn = whole;
  for (let part = headPart(dn); part !== null; part = headPart(dn)) {
    const [text, kind, id] = part;
    if (kind.toUpperCase() === 'GUID') parts.guid = id.toUpperCase();
    else parts.sid = id;
    dn = dn.slice(text.length);
  }
  return { ...parts, dn };
}

const headPart = (text: string): RegExpExecArray | null =>
  text.startsWith('<') ? /^<(GUID|SID)=([^>]*)>;/i.exec(text) : null;

/** Converts `DC=lab,DC=test` to `LAB.TEST`. */
export const domainOfDn = (dn: string): string =>
  [...dn.matchAll(/(?:^|,)DC=([^,]+)/gi)]
    .map(([, part]) => part)
    .join('.')
    .toUpperCase();

/** Names of the set bits, as in collection files. */
export const bitNames = (value: number, names: readonly (readonly [number, string])[]): readonly string[] =>
  names.filter(([mask]) => hasBits(value, mask)).map(([, name]) => name);
