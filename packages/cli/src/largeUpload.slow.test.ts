/** Tests a file larger than the limit of a signed request body: with an API token, `clew ingest` uploads it without further options. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const DOMAIN = 'S-1-5-21-2845612345-1234567890-987654321';
const USERS = 30_000;
const LIMIT = 4 * 2 ** 20;

let directory: string;
let service: ServiceHere;
let file: string;
let token: { readonly id: string; readonly key: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-large-upload-'));
  file = join(directory, 'users.json');
  const record = (at: number) => ({
    ObjectIdentifier: `${DOMAIN}-${1000 + at}`,
    Properties: {
      ...{ name: `USER${at}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, enabled: at % 7 !== 0 },
      ...{
        distinguishedname: `CN=USER${at},OU=UNIT${at % 97},DC=CORP,DC=LOCAL`,
        pwdlastset: 1_700_000_000 + at,
      },
      description: 'works on the third floor of the house next to the river',
    },
    Aces: [
      { PrincipalSID: `${DOMAIN}-512`, PrincipalType: 'Group', RightName: 'GenericAll', IsInherited: true },
      { PrincipalSID: `${DOMAIN}-519`, PrincipalType: 'Group', RightName: 'GenericAll', IsInherited: true },
    ],
  });
  const data = Array.from({ length: USERS }, (_, at) => JSON.stringify(record(at))).join();
  await writeFile(
    file,
    `{"data":[${data}],"meta":{"methods":0,"type":"users","count":${USERS},"version":6}}`,
  );
  expect((await stat(file)).size).toBeGreaterThan(4 * LIMIT);
  const variables = { CLEW_MAX_UNVERIFIED: `${LIMIT / 2 ** 20}MiB` };
  service = await serveHere(directory, variables, { makesPlans: false });
  const client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const self = (await client.call('GetSelf')).data;
  const made = await client.call('CreateAuthToken', { body: { user_id: self.id, token_name: 'ingest' } });
  token = made.data as typeof token;
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
});

it('is uploaded completely', async () => {
  const user = {
    ...{ url: service.url, home: directory, directory },
    variables: { CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key },
  };
  const { code, stdout, stderr } = await runCommand(user, ['ingest', file]);
  const complete = expect.stringMatching(/^✓ Job \d+: complete, 1 file, /);
  expect([code, stdout, stderr]).toEqual([0, complete, expect.not.stringContaining('clew:')]);
  const counted = await runCommand(user, ['query', 'MATCH (u:User) RETURN count(u) AS users', '--json']);
  expect(counted.stdout).toContain(String(USERS));
}, 180_000);

it('is refused if uncompressed, and other files are accepted', async () => {
  const client = new ClewClient({
    url: service.url,
    credentials: { tokenId: token.id, tokenKey: token.key },
  });
  const large = new File([await readFile(file)], 'large.json');
  const good = new File(
    ['{"data":[],"meta":{"methods":0,"type":"users","count":0,"version":6}}'],
    'good.json',
  );
  const { accepted, rejected } = await client.uploadFiles([large, good], { parallel: 1 });
  expect(accepted).toEqual(['good.json']);
  expect(rejected).toMatchObject([{ path: 'large.json', error: { status: 413 } }]);
}, 60_000);
