/** Trusts of a domain (MS-ADTS 6.1.6.7), in the format of its records. */
import type { Attributes } from '../ldap/messages.ts';
import { hasBits, sidOf, text, wholeNumber } from './entryValues.ts';
import type { Json, Reading } from './records.ts';

/** Bits of trustAttributes (MS-ADTS 6.1.6.7.9). */
const ATTRIBUTE = {
  nonTransitive: 0x1,
  quarantined: 0x4,
  forest: 0x8,
  withinForest: 0x20,
  external: 0x40,
  noDelegation: 0x200,
  delegation: 0x800,
} as const;
const DIRECTIONS: readonly string[] = ['Disabled', 'Inbound', 'Outbound', 'Bidirectional'];
/** Values of trustType (MS-ADTS 6.1.6.7.15). */
const TYPE = { downlevel: 1, uplevel: 2, kerberosRealm: 3 } as const;

/** @returns undefined for a realm without SIDs */
export function trustRecord({ known, notes }: Reading, attributes: Attributes): Json | undefined {
  const sid = sidOf(attributes, 'securityidentifier');
  const name = (text(attributes, 'trustpartner') ?? '').toUpperCase();
  if (sid === '') {
    notes.add('trusts without a SID (other Kerberos realms)', name);
    return undefined;
  }
  const bits = wholeNumber(attributes, 'trustattributes') ?? 0;
  const has = (mask: number): boolean => hasBits(bits, mask);
  const isWithin = has(ATTRIBUTE.withinForest);
  const isForest = has(ATTRIBUTE.forest);
  const { domain, forest } = known.facts;
  return {
    ...{ TargetDomainSid: sid, TargetDomainName: name },
    IsTransitive: isWithin || (isForest && !has(ATTRIBUTE.nonTransitive)),
    TrustDirection: DIRECTIONS[(wholeNumber(attributes, 'trustdirection') ?? 0) & 3],
    TrustType: isWithin
      ? kindWithinForest(name, domain, forest)
      : kindOutside(isForest, wholeNumber(attributes, 'trusttype') ?? 0),
    TrustAttributes: bits,
    SidFilteringEnabled: has(ATTRIBUTE.quarantined) || (isForest && !has(ATTRIBUTE.external)),
    TGTDelegationEnabled: !isWithin && !has(ATTRIBUTE.noDelegation) && has(ATTRIBUTE.delegation),
  };
}

function kindWithinForest(name: string, domain: string, forest: string): string {
  if (name.endsWith(`.${domain}`) || domain.endsWith(`.${name}`)) return 'ParentChild';
  return name === forest || domain === forest ? 'TreeRoot' : 'CrossLink';
}

function kindOutside(isForest: boolean, type: number): string {
  if (isForest) return 'Forest';
  if (type === TYPE.kerberosRealm) return 'Kerberos';
  return type === TYPE.downlevel || type === TYPE.uplevel ? 'External' : 'Unknown';
}
