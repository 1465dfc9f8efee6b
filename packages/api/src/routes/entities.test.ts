import { describe, expect, test } from 'vitest';
import { entityRoutes } from './entities.ts';

/**
 * Paths of the public API under the segments of entity kinds, without `/api/v2/`
 * (`docs/reference/queries.md#related-lists`).
 */
const PUBLIC_PATHS: readonly (readonly [prefix: string, suffixes: string])[] = [
  ['base', 'controllables controllers'],
  [
    'users',
    'admin-rights constrained-delegation-rights controllables controllers dcom-rights memberships ps-remote-rights rdp-rights sessions sql-admin-rights',
  ],
  [
    'groups',
    'admin-rights controllables controllers dcom-rights members memberships ps-remote-rights rdp-rights sessions',
  ],
  [
    'computers',
    'admin-rights admin-users constrained-delegation-rights constrained-users controllables controllers dcom-rights dcom-users group-membership ps-remote-rights ps-remote-users rdp-rights rdp-users sessions sql-admins',
  ],
  [
    'domains',
    'computers controllers dc-syncers foreign-admins foreign-gpo-controllers foreign-groups foreign-users gpos groups inbound-trusts linked-gpos ous outbound-trusts users adcs-escalations',
  ],
  ['gpos', 'computers controllers ous tier-zero users'],
  ['ous', 'computers gpos groups users'],
  ['containers', 'controllers'],
  ['aiacas', 'controllers pki-hierarchy'],
  ['rootcas', 'controllers pki-hierarchy'],
  ['enterprisecas', 'controllers pki-hierarchy published-templates'],
  ['ntauthstores', 'controllers trusted-cas'],
  ['certtemplates', 'controllers published-to-cas'],
];

const served = new Map<string, string>(
  entityRoutes.map((route) => [`${route.method} ${route.path}`, route.operationId]),
);

describe('the public paths of Active Directory objects', () => {
  test.each(PUBLIC_PATHS)('under %s are all routed', (segment, suffixes) => {
    expect(served.has(`GET /api/v2/${segment}/{object_id}`)).toBe(true);
    for (const suffix of suffixes.split(' ')) {
      expect(served.has(`GET /api/v2/${segment}/{object_id}/${suffix}`), suffix).toBe(true);
    }
  });

  test('include the update of a domain', () => {
    expect(served.get('PATCH /api/v2/domains/{object_id}')).toBe('UpdateDomainEntity');
  });
});
