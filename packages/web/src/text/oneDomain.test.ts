import { expect, it } from 'vitest';
import { domainOf, withoutDomain } from './oneDomain.ts';

it('one domain of all names is said once', () => {
  const texts = [
    'Remove Enroll on VPN@CORP.EXAMPLE from DOMAIN USERS@CORP.EXAMPLE.',
    'HELP DESK@CORP.EXAMPLE, too',
  ];
  expect(domainOf(texts)).toBe('CORP.EXAMPLE');
  expect(texts.map((text) => withoutDomain(text, 'CORP.EXAMPLE'))).toEqual([
    'Remove Enroll on VPN from DOMAIN USERS.',
    'HELP DESK, too',
  ]);
});

it('names of several domains stay whole', () => {
  const texts = ['Remove ANN@A.EXAMPLE from ADMINS@B.EXAMPLE'];
  expect(domainOf(texts)).toBeUndefined();
  expect(withoutDomain(texts[0]!, undefined)).toBe(texts[0]);
  expect(domainOf(['Remove the account', 'DC01.CORP.EXAMPLE'])).toBeUndefined();
  // The end of the longer domain equals the shorter one, but they are different domains.
  expect(domainOf(['ANN@CORP.EXAMPLE', 'BOB@OTHERCORP.EXAMPLE'])).toBeUndefined();
});

it('computers and child domains keep their whole names', () => {
  const text = 'Remove DOMAIN USERS@CORP.EXAMPLE from ADMINISTRATORS@HOST.CORP.EXAMPLE';
  expect(domainOf([text])).toBe('CORP.EXAMPLE');
  expect(withoutDomain(text, 'CORP.EXAMPLE')).toBe(
    'Remove DOMAIN USERS from ADMINISTRATORS@HOST.CORP.EXAMPLE',
  );
  expect(withoutDomain('ANN@CORP.EXAMPLE-2, @CORP.EXAMPLE, CORP.EXAMPLE', 'CORP.EXAMPLE')).toBe(
    'ANN@CORP.EXAMPLE-2, @CORP.EXAMPLE, CORP.EXAMPLE',
  );
});
