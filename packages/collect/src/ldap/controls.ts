/** Request controls used by the collector (RFC 2696; MS-ADTS 3.1.1.3.4.1). None of them writes. */
import { BER_TAG, BerReader } from '../ber/reader.ts';
import { berBoolean, berContext, berInteger, berOctets, berSequence } from '../ber/writer.ts';

export interface Control {
  readonly oid: string;
  /** Whether the controller must refuse the request if it does not support the control. */
  readonly critical?: boolean;
  readonly value?: Buffer;
}

const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** Requests the page after the one that returned `cookie`; an empty cookie requests the first. */
export const pagedResults = (size: number, cookie: Buffer): Control => ({
  oid: PAGED_RESULTS,
  critical: true,
  value: berSequence(berInteger(size), berOctets(cookie)),
});

/**
 * Parts of security descriptors: owner 1, group 2, access list 4. Without this control, a controller would include the audit list and so
 * refuse the whole descriptor.
 */
export const ACCESS_LIST_PARTS: Control = {
  oid: '1.2.840.113556.1.4.801',
  critical: true,
  value: berSequence(berInteger(7)),
};

/** Names with their GUID and SID (`<GUID=...>;<SID=...>;CN=...`), so that no table of names is needed. */
export const EXTENDED_NAMES: Control = {
  oid: '1.2.840.113556.1.4.529',
  value: berSequence(berInteger(1)),
};

export function encodeControls(controls: readonly Control[]): Buffer {
  if (controls.length === 0) return Buffer.alloc(0);
  return berContext(
    0,
    ...controls.map(({ oid, critical, value }) =>
      berSequence(
        berOctets(oid),
        ...(critical ? [berBoolean(true)] : []),
        ...(value === undefined ? [] : [berOctets(value)]),
      ),
    ),
  );
}

/** @param controls of a search result; undefined if it has none @returns an empty cookie after the last page */
export function nextPage(controls: BerReader | undefined): Buffer {
  while (controls?.hasMore) {
    const control = controls.enter(BER_TAG.sequence);
    if (control.text() !== PAGED_RESULTS) continue;
    while (control.hasMore) {
      if (control.peek() !== BER_TAG.octets) {
        control.enter();
        continue;
      }
      const page = new BerReader(control.octets()).enter(BER_TAG.sequence);
      page.integer();
      return Buffer.from(page.octets());
    }
  }
  return Buffer.alloc(0);
}
