import { describe, expect, it } from 'vitest';
import {
  authenticatesOverSchannel,
  type CertTemplate,
  namesByUpn,
  needsNoSignature,
  needsNoSignatureStrictly,
  needsNoSignatureWhenRelayed,
  Oid,
  suitsUsersWithoutDnsName,
} from './certTemplates.ts';

const UNKNOWN: CertTemplate = {
  node: 0,
  schemaVersion: undefined,
  authorizedSignatures: undefined,
  requiresManagerApproval: undefined,
  authenticationEnabled: undefined,
  schannelAuthenticationEnabled: undefined,
  effectiveEkus: undefined,
  applicationPolicies: [],
  enrolleeSuppliesSubject: undefined,
  noSecurityExtension: undefined,
  sanRequiresUpn: undefined,
  sanRequiresSpn: undefined,
  sanRequiresDns: undefined,
  sanRequiresDomainDns: undefined,
};

const template = (known: Partial<CertTemplate>): CertTemplate => ({ ...UNKNOWN, ...known });

describe('the need for an authorized signature (`docs/rules.md#certificate-services`)', () => {
  it.each([
    { v: 1, a: 0, gates: 'LSR' },
    { v: 1, a: 2, gates: 'LSR' },
    { v: 1, a: undefined, gates: 'SR' },
    { v: 2, a: 0, gates: 'LSR' },
    { v: 2, a: 1, gates: '' },
    { v: 4, a: 1, gates: '' },
    { v: 2, a: undefined, gates: '' },
    { v: 2, a: -1, gates: 'L' },
    { v: 0, a: 1, gates: 'LR' },
    { v: 0, a: undefined, gates: 'R' },
    { v: undefined, a: 0, gates: 'R' },
    { v: undefined, a: 1, gates: '' },
    { v: undefined, a: undefined, gates: '' },
  ])('schema $v with $a signatures passes [$gates]', ({ v, a, gates }) => {
    const subject = template({ schemaVersion: v, authorizedSignatures: a });
    expect(needsNoSignature(subject)).toBe(gates.includes('L'));
    expect(needsNoSignatureStrictly(subject)).toBe(gates.includes('S'));
    expect(needsNoSignatureWhenRelayed(subject)).toBe(gates.includes('R'));
  });
});

describe('authentication over Schannel', () => {
  it.each([
    { stated: true, ekus: ['1.2'], expected: true },
    { stated: false, ekus: [Oid.clientAuthentication], expected: false },
    { stated: undefined, ekus: [], expected: true },
    { stated: undefined, ekus: ['1.2', Oid.clientAuthentication], expected: true },
    { stated: undefined, ekus: [Oid.anyPurpose], expected: true },
    { stated: undefined, ekus: ['1.3.6.1.5.2.3.4'], expected: false },
    { stated: undefined, ekus: undefined, expected: false },
  ])('stated $stated, usages $ekus: $expected', ({ stated, ekus, expected }) => {
    const subject = template({ schannelAuthenticationEnabled: stated, effectiveEkus: ekus });
    expect(authenticatesOverSchannel(subject)).toBe(expected);
  });
});

describe('names in the certificate', () => {
  it('count as UPN only when both flags are known', () => {
    expect(namesByUpn(template({ sanRequiresUpn: true, sanRequiresSpn: false }))).toBe(true);
    expect(namesByUpn(template({ sanRequiresUpn: false, sanRequiresSpn: true }))).toBe(true);
    expect(namesByUpn(template({ sanRequiresUpn: false, sanRequiresSpn: false }))).toBe(false);
    expect(namesByUpn(template({ sanRequiresUpn: true }))).toBe(false);
    expect(namesByUpn(template({ sanRequiresSpn: true }))).toBe(false);
  });

  it('suit plain users only where no DNS name is known to be asked for', () => {
    const none = { sanRequiresDns: false, sanRequiresDomainDns: false };
    expect(suitsUsersWithoutDnsName(template(none))).toBe(true);
    expect(suitsUsersWithoutDnsName(template({ ...none, sanRequiresDns: true }))).toBe(false);
    expect(suitsUsersWithoutDnsName(template({ ...none, sanRequiresDomainDns: true }))).toBe(false);
    expect(suitsUsersWithoutDnsName(template({ sanRequiresDns: false }))).toBe(false);
    expect(suitsUsersWithoutDnsName(UNKNOWN)).toBe(false);
  });
});
