/** Groups with their members, including members that a controller returns in ranges. */
import { EXTENDED_NAMES } from '../ldap/controls.ts';
import { rangeOf } from '../ldap/ldapClient.ts';
import { sidHistory } from './accounts.ts';
import { extendedName, hasBits, text, wholeNumber } from './entryValues.ts';
import type { Reference } from './knownObjects.ts';
import type { Reading, Subject } from './records.ts';

/** Bits of groupType (MS-ADTS 2.2.12). */
const GROUP_TYPE = { global: 0x2, domainLocal: 0x4, universal: 0x8, security: 0x80000000 } as const;

export async function addGroup(reading: Reading, subject: Subject): Promise<void> {
  const { known } = reading;
  const { attributes, record, properties } = subject;
  const type = wholeNumber(attributes, 'grouptype') ?? 0;
  const history = sidHistory(attributes);
  record.Members = await membersOf(reading, subject);
  record.HasSIDHistory = history.map((sid) => known.reference(sid));
  Object.assign(properties, {
    samaccountname: text(attributes, 'samaccountname') ?? null,
    admincount: (wholeNumber(attributes, 'admincount') ?? 0) !== 0,
    sidhistory: history,
    groupscope: hasBits(type, GROUP_TYPE.universal)
      ? 'Universal'
      : hasBits(type, GROUP_TYPE.global)
        ? 'Global'
        : hasBits(type, GROUP_TYPE.domainLocal)
          ? 'DomainLocal'
          : 'Unknown',
    securityenabled: hasBits(type, GROUP_TYPE.security),
  });
}

async function membersOf(reading: Reading, { dn, attributes, name }: Subject): Promise<readonly Reference[]> {
  const { client, known, notes, catalog } = reading;
  const members: Reference[] = [];
  const add = (values: readonly Buffer[]): void => {
    for (const value of values) {
      const member = extendedName(value);
      if (member.sid !== '') members.push(known.reference(member.sid));
      else notes.add('members of groups without a SID (contacts)', `${name}: ${member.dn}`);
    }
  };
  const addAll = async (values: readonly Buffer[]): Promise<void> => {
    await catalog.load(values.map((value) => extendedName(value).sid));
    add(values);
  };
  // Members in the entry itself are already known.
  add(attributes.get('member') ?? []);
  const range = rangeOf({ dn, attributes }, 'member');
  if (range === undefined) return members;
  await addAll(range.values);
  if (range.isLast) return members;
  const first = range.values.length;
  for await (const values of client.valueRanges(dn, 'member', first, [EXTENDED_NAMES])) await addAll(values);
  return members;
}
