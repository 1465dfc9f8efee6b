import { expect, it } from 'vitest';
import { AppliedPolicies } from './appliedPolicies.ts';
import { CONFIGURATION_ATTRIBUTES, DOMAIN_ATTRIBUTES, NAMED_ATTRIBUTES } from './attributes.ts';
import { domainOfDn, extendedName, hasBits } from './entryValues.ts';
import { isTechnicalContainer, typeOf } from './objectType.ts';
import { readPolicyLinks } from './policyLinks.ts';
import { policyDuration, secondsOfFileTime, secondsOfTime, validityPeriod } from './times.ts';

it('requests no attribute with a password', () => {
  const secret =
    /^(ms-Mcs-AdmPwd|msLAPS-(Encrypted)?Password(History)?|unicodePwd|userPassword|dBCSPwd|(nt|lm)PwdHistory|supplementalCredentials|msDS-ManagedPassword|unixUserPassword|initialAuth\w+|trustAuth\w+)$/i;
  for (const name of [...DOMAIN_ATTRIBUTES, ...CONFIGURATION_ATTRIBUTES, ...NAMED_ATTRIBUTES])
    expect(name).not.toMatch(secret);
});

it('reads names in extended form, and the domains in names', () => {
  const guid = '6970d3d7-daa8-5deb-a3ed-ac77df0de09f';
  const dn = 'CN=a>;b,OU=x,DC=lab,DC=test';
  expect(extendedName(`<GUID=${guid}>;<SID=S-1-5-21-1-2-3-1105>;${dn}`)).toEqual({
    ...{ guid: guid.toUpperCase(), sid: 'S-1-5-21-1-2-3-1105', dn },
  });
  expect(extendedName('CN=a,DC=lab')).toEqual({ guid: '', sid: '', dn: 'CN=a,DC=lab' });
  expect(domainOfDn('CN=x,DC=lab,DC=test')).toBe('LAB.TEST');
  expect([hasBits(-2147483646, 0x80000000), hasBits(2, 0x80000000), hasBits(0x1000002, 0x1000000)]).toEqual([
    true,
    false,
    true,
  ]);
});

it('reads policy links with their options', () => {
  const links = readPolicyLinks('[LDAP://cn={A},DC=lab;0][ldap://CN={B},DC=lab;3]garbage[LDAP://x;]');
  expect(links).toEqual([
    { dn: 'cn={a},dc=lab', isDisabled: false, isEnforced: false },
    { dn: 'cn={b},dc=lab', isDisabled: true, isEnforced: true },
  ]);
});

it('knows which policies apply to a computer, and their precedence', () => {
  const applied = new AppliedPolicies();
  applied.addUnit('DC=lab,DC=test', '[LDAP://domain;0][LDAP://forced;2]', false);
  applied.addUnit(
    'OU=Büro\\, Süd,DC=lab,DC=test',
    '[LDAP://first;0][LDAP://last;0][LDAP://off;0][LDAP://not;1]',
    false,
  );
  applied.addUnit('OU=Blocking,DC=lab,DC=test', '[LDAP://own;0]', true);
  applied.switchPolicy('off', true);
  applied.addComputer('CN=PC1,OU=Büro\\, Süd,DC=lab,DC=test', 'S-1');
  applied.addComputer('CN=PC2,OU=Blocking,DC=lab,DC=test', 'S-2');
  expect(applied.policiesOf('S-1')).toEqual(['forced', 'last', 'first', 'domain']);
  expect(applied.policiesOf('S-2')).toEqual(['forced', 'own']);
  expect(applied.policiesOf('S-9')).toEqual([]);
  expect(applied.computersBelow('DC=lab,DC=test', false)).toEqual(['S-1']);
  expect(applied.computersBelow('DC=lab,DC=test', true)).toEqual(['S-1', 'S-2']);
  expect(applied.computersBelow('OU=Blocking,DC=lab,DC=test', false)).toEqual(['S-2']);
});

it('determines the type of an object from its classes', () => {
  const type = (dn: string, objectclass: string, more: Record<string, string> = {}) =>
    typeOf(
      new Map(
        Object.entries({ objectclass, ...more }).map(([name, value]) => [
          name,
          value.split(' ').map((v) => Buffer.from(v)),
        ]),
      ),
      dn,
    );
  expect(type('CN=x', 'top user')).toBe('User');
  expect(type('CN=x', 'top user computer')).toBe('Computer');
  expect(type('CN=x', 'top user computer msDS-GroupManagedServiceAccount')).toBe('User');
  expect(type('CN=x', 'top user', { samaccounttype: '805306370' })).toBeUndefined();
  expect(type('CN=x', 'top container groupPolicyContainer')).toBe('GPO');
  expect(type('CN=NTAuthCertificates,CN=Public Key Services', 'top certificationAuthority')).toBe(
    'NTAuthStore',
  );
  expect(type('CN=x', 'top printQueue')).toBeUndefined();
  expect(isTechnicalContainer('CN=User,CN={31B2F340},CN=Policies,CN=System,DC=lab')).toBe(true);
  expect(isTechnicalContainer('CN=Policies,CN=System,DC=lab')).toBe(false);
});

it('reads times and durations', () => {
  expect([undefined, '0', '9223372036854775807', '133900000000000000', 'x'].map(secondsOfFileTime)).toEqual([
    -1, 0, 0, 1745526400, 0,
  ]);
  expect([secondsOfTime('20260101000000.0Z'), secondsOfTime(undefined)]).toEqual([1767225600, -1]);
  const ticks = Buffer.alloc(8);
  ticks.writeBigInt64LE(-365n * 864_000_000_000n);
  expect([validityPeriod(ticks), validityPeriod(Buffer.alloc(3))]).toEqual(['1 year', '']);
  expect(
    ['-36288000000000', '0', '-9223372036854775808', '-18000000000', undefined].map(policyDuration),
  ).toEqual([...['42 days', '0 seconds', 'Forever', '30 minutes', undefined]]);
});
