/** Whether an object matches a search filter in the format of requests (RFC 4511, 4.5.1.7), for simulated directories. */
import type { BerReader } from '../src/ber/reader.ts';

/** Names in lower case. */
export type ObjectValues = ReadonlyMap<string, readonly Buffer[]>;

/** MS-ADTS 3.1.1.3.4.4.1: all bits of a number are set. */
const BIT_AND = '1.2.840.113556.1.4.803';

/** @throws Error for kinds of filters that the collector does not use */
export function matchesFilter(filter: BerReader, values: ObjectValues): boolean {
  const tag = filter.peek();
  if (tag === 0x87) return values.has(filter.text(0x87).toLowerCase());
  const parts = filter.enter();
  const text = (): string => parts.octets(parts.peek()).toString();
  const all = (): boolean[] => {
    const results: boolean[] = [];
    while (parts.hasMore) results.push(matchesFilter(parts, values));
    return results;
  };
  if (tag === 0xa0) return all().every(Boolean);
  if (tag === 0xa1) return all().some(Boolean);
  if (tag === 0xa2) return !matchesFilter(parts, values);
  if (tag === 0xa9) {
    const [rule, name, mask] = [text(), text(), BigInt(text())];
    if (rule !== BIT_AND) throw new Error(`the simulated directory does not support the rule ${rule}`);
    return (values.get(name.toLowerCase()) ?? []).some((value) => (BigInt(value.toString()) & mask) === mask);
  }
  const found = values.get(text().toLowerCase()) ?? [];
  const wanted = parts.octets();
  if (tag === 0xa3) return found.some((value) => isSame(value, wanted));
  if (tag === 0xa5) return found.some((value) => BigInt(value.toString()) >= BigInt(wanted.toString()));
  throw new Error(`the simulated directory does not support filters of the kind ${tag}`);
}

const isSame = (value: Buffer, wanted: Buffer): boolean =>
  value.equals(wanted) || value.toString().toLowerCase() === wanted.toString().toLowerCase();
