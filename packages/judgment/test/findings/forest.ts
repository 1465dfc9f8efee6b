/**
 * A small domain as SharpHound files: Ann is a domain administrator, Bob has no privileges except those over her and a server
 * that the caller sets.
 */
import {
  ace,
  collection,
  computerRecord,
  groupRecord,
  type TestUpload,
  userRecord,
} from '@clew/intake/testing';

export const DOMAIN = 'S-1-5-21-1-2-3';
export const ANN = `${DOMAIN}-1101`;
export const BOB = `${DOMAIN}-1102`;
export const SERVER = `${DOMAIN}-2001`;

export interface ForestChanges {
  /** Default: `WriteDacl`. */
  readonly bobOverAnn?: readonly string[];
  readonly annName?: string;
}

export function forest({
  bobOverAnn = ['WriteDacl'],
  annName = 'ANN@CORP.LOCAL',
}: ForestChanges = {}): TestUpload[] {
  const own = (name: string, more: object = {}) => ({
    Properties: {
      name,
      domain: 'CORP.LOCAL',
      domainsid: DOMAIN,
      enabled: true,
      isaclprotected: false,
      ...more,
    },
  });
  const member = (id: string) => ({ ObjectIdentifier: id, ObjectType: 'User' });
  const file = (type: string, ...records: readonly object[]) => ({
    name: `${type}.json`,
    content: collection(type, ...records),
  });
  return [
    file('domains', {
      ObjectIdentifier: DOMAIN,
      Aces: [],
      ChildObjects: [],
      Trusts: [],
      Links: [],
      ...own('CORP.LOCAL', { collected: true, functionallevel: '2016' }),
    }),
    file(
      'groups',
      groupRecord(`${DOMAIN}-512`, { ...own('DOMAIN ADMINS@CORP.LOCAL'), Members: [member(ANN)] }),
      groupRecord(`${DOMAIN}-513`, { ...own('DOMAIN USERS@CORP.LOCAL'), Members: [member(BOB)] }),
    ),
    file(
      'users',
      userRecord(ANN, {
        ...own(annName, { hasspn: true, sensitive: true }),
        Aces: bobOverAnn.map((right) => ({ ...ace(BOB, right), PrincipalType: 'User' })),
      }),
      userRecord(BOB, own('BOB@CORP.LOCAL', { hasspn: false })),
      userRecord(`${DOMAIN}-502`, own('KRBTGT@CORP.LOCAL', { enabled: false })),
    ),
    file(
      'computers',
      computerRecord(SERVER, {
        ...own('SERVER.CORP.LOCAL', { operatingsystem: 'Windows Server 2022' }),
        Aces: [{ ...ace(BOB, 'GenericAll'), PrincipalType: 'User' }],
      }),
    ),
    file('ous', {
      ObjectIdentifier: '11111111-0000-0000-0000-000000000001',
      Aces: [],
      ChildObjects: [member(ANN)],
      Links: [],
      ...own('ADMINS@CORP.LOCAL'),
    }),
  ];
}
