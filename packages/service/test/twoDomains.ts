/** Two domains, each with a Tier Zero group that some users control, for tests of users who see one of them. */
export type TestDomain = 'NORTH' | 'SOUTH';

export const sidOf = (domain: TestDomain): string => `S-1-5-21-${domain === 'NORTH' ? 61 : 62}-1-1`;

/** @param holders relative ids of the users who control the group @param users relative ids in each domain @returns collector files */
export function twoDomains(
  holders: Readonly<Record<TestDomain, readonly number[]>>,
  users: readonly number[],
): object[] {
  return (['NORTH', 'SOUTH'] as const).flatMap((name) => {
    const sid = sidOf(name);
    const domain = `${name}.EXAMPLE`;
    const object = (id: string, short: string, more: object = {}) => ({
      ...{ ObjectIdentifier: id, IsDeleted: false, IsACLProtected: false, Aces: [] },
      Properties: {
        ...{ name: `${short}@${domain}`, domain, domainsid: sid, collected: true, enabled: true },
      },
      ...more,
    });
    const ace = (rid: number) => ({
      ...{ PrincipalSID: `${sid}-${rid}`, PrincipalType: 'User', RightName: 'GenericAll' },
      IsInherited: false,
    });
    const file = (type: string, data: readonly object[]) => ({
      ...{ meta: { type, version: 6, count: data.length, methods: 0x7ffff }, data },
    });
    return [
      file('domains', [object(sid, domain, { Trusts: [], Links: [], ChildObjects: [] })]),
      file('groups', [object(`${sid}-512`, 'DOMAIN ADMINS', { Members: [], Aces: holders[name].map(ace) })]),
      file(
        'users',
        users.map((rid) => object(`${sid}-${rid}`, `U${rid}`)),
      ),
    ];
  });
}
