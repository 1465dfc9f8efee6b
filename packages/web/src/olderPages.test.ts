import { testAlert } from '@clew/connector/testing';
import { expect, test } from 'vitest';
import { OLDER_PATHS, pageOfOlder } from './olderPages.ts';

test.each([
  ['/remediation', 'findingType=T0GenericAll', '/findings?type=T0GenericAll'],
  [
    '/graphview',
    'environmentId=S-1-5-21-1&assetGroupTagId=1&findingName=T0DCSync',
    '/findings?type=T0DCSync&env=S-1-5-21-1&zone=1',
  ],
  ['/graphview', 'environmentId=&assetGroupTagId=&findingName=', '/findings'],
  ['/remediation', 'findingType=a%26zone%3D2', '/findings?type=a%26zone%3D2'],
  ['/attack-paths', 'environmentId=S-1-5-21-1', '/findings?env=S-1-5-21-1'],
  ['/zone-management', 'findingType=T0DCSync', '/admin?view=zones'],
  ['/administration/file-ingest', '', '/data?view=uploads'],
])('%s?%s of the public product is %s', (path, search, page) => {
  expect(pageOfOlder(path, search)).toBe(page);
});

test('the link of an alert is the address of an older page, and opens its finding type', () => {
  const [event] = testAlert(1).events;
  const { pathname, search } = new URL(String(event?.fields.RemediationURL));
  const path = pathname.replace(/^\/ui/, '');
  expect(OLDER_PATHS).toContain(path);
  expect(pageOfOlder(path, search)).toBe('/findings?type=T0GenericAll');
});
