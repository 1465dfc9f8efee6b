/** A domain in which some users may change the group of administrators: a finding of `T0GenericAll` for each, and others. */
import { ace, collection, groupRecord, userRecord } from '@clew/intake/testing';
import type { FindingServer } from './findingServer.ts';

const DOMAIN = 'S-1-5-21-1-2-3';
const ADMINS = `${DOMAIN}-512`;

/** @param controllers the last parts of their ids, from 1100 to 1103 */
export async function collectControllers(
  server: FindingServer,
  controllers: readonly number[],
): Promise<void> {
  const named = (name: string) => ({
    Properties: { name, domainsid: DOMAIN, domain: 'CORP.LOCAL', enabled: true },
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
        ...[1100, 1101, 1102, 1103].map((rid) => userRecord(`${DOMAIN}-${rid}`, named(`U${rid}@CORP.LOCAL`))),
      ),
    },
  );
}
