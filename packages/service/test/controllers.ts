/** A domain in which some users may change the administrators group: each causes a finding of `T0GenericAll`, and there are others. */
import { ace, collection, groupRecord, userRecord } from '@clew/intake/testing';
import type { FindingServer } from './findingServer.ts';

const DOMAIN = 'S-1-5-21-1-2-3';
const ADMINS = `${DOMAIN}-512`;
const USERS: ReadonlyMap<number, string> = new Map(
  [1100, 1101, 1102, 1103].map((rid) => [rid, `U${rid}@CORP.LOCAL`]),
);

export interface ControlledDomain {
  /** Names of its users by relative id. */
  readonly users?: ReadonlyMap<number, string>;
  /** Further properties of its users and of the group. */
  readonly properties?: object;
}

/** @param controllers relative ids of the users with full control; default: 1100 to 1103 */
export async function collectControllers(
  server: FindingServer,
  controllers: readonly number[],
  { users = USERS, properties = { enabled: true } }: ControlledDomain = {},
): Promise<void> {
  const named = (name: string) => ({
    Properties: { name, domainsid: DOMAIN, domain: 'CORP.LOCAL', ...properties },
  });
  const rights = controllers.map((rid) => ({
    ...ace(`${DOMAIN}-${rid}`, 'GenericAll'),
    PrincipalType: 'User',
  }));
  await server.collect(
    {
      name: 'domains.json',
      content: collection('domains', {
        ObjectIdentifier: DOMAIN,
        Properties: { name: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
        Aces: [ace(ADMINS, 'GenericAll')],
      }),
    },
    {
      name: 'groups.json',
      content: collection(
        'groups',
        groupRecord(ADMINS, { ...named('DOMAIN ADMINS@CORP.LOCAL'), Aces: rights }),
      ),
    },
    {
      name: 'users.json',
      content: collection(
        'users',
        ...[...users].map(([rid, name]) => userRecord(`${DOMAIN}-${rid}`, named(name))),
      ),
    },
  );
}
