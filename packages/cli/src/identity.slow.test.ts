/** Tests users, tokens, second factors and providers on the command line, with a running service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_PASSWORD, type FinishedProcess, type ServeProcess, startServe } from '@clew/service/testing';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const PASSWORD = 'Correct-Horse-1';
const METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"></IDPSSODescriptor></EntityDescriptor>`;

let directory: string;
let service: ServeProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-cli-identity-'));
  service = await startServe(join(directory, 'data'), {}, { slowSignIn: true });
  await clew('admin', ['login', '--user', 'admin']);
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

/** @param who user of the session @param secrets answers to questions, in turn */
function clew(
  who: string,
  args: readonly string[],
  secrets: string | readonly string[] = ADMIN_PASSWORD,
): Promise<FinishedProcess> {
  return runCommand({ url: service.url, home: join(directory, who), directory, secret: secrets }, args);
}

const OK = { code: 0 };

describe('a user', () => {
  it('is created, sets a password, and is disabled, enabled and removed', async () => {
    const made = await clew('admin', [
      'user',
      'add',
      'ada',
      '--role',
      'Read Only',
      '--email',
      'ada@example.com',
      '--generate',
    ]);
    expect(made).toMatchObject(OK);
    const first = made.stdout.trim();
    expect(first).toHaveLength(24);
    // The first password must be replaced during sign-in.
    const login = await clew('ada', ['login', '--user', 'ada'], [first, PASSWORD, PASSWORD]);
    expect(login).toMatchObject(OK);
    expect(login.stderr).toContain('The password is changed.');
    const { stdout } = await clew('admin', ['users']);
    expect(stdout).toMatch(/ada\s+ada@example.com\s+Read-Only\s+enabled\s+password\s/);
    expect(await clew('ada', ['users'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not authorized'),
    });

    const changed = await clew('ada', ['user', 'password'], [PASSWORD, 'Another-Horse-2', 'Another-Horse-2']);
    expect(changed).toMatchObject(OK);
    expect(await clew('ada', ['user', 'password'], ['x', 'a', 'b'])).toMatchObject({ code: 2 });

    const signedIn = await clew('admin', ['user', 'sessions', 'ada']);
    expect(signedIn.stdout).toMatch(/FROM +BY +PROGRAM\n *\d+ .* 127\.0\.0\.1 +password +clew/);
    expect((await clew('admin', ['user', 'sessions'])).stdout).toContain('(this one)');
    expect((await clew('admin', ['user', 'sessions', 'ada', '--end', '999999'])).stderr).toMatch(/^0 of /);
    expect((await clew('admin', ['user', 'sessions', 'ada', '--end'])).stderr).toMatch(
      /^(\d+) of \1 sessions?/,
    );
    expect((await clew('ada', ['search', 'x'])).stderr).toMatch(/Token Authorization failed|sign in/);
    expect(await clew('admin', ['user', 'disable', 'ADA'])).toMatchObject(OK);
    expect((await clew('ada', ['search', 'x'])).code).not.toBe(0);
    expect((await clew('admin', ['users'])).stdout).toMatch(/ada .*disabled/);
    expect(await clew('admin', ['user', 'enable', 'ada@example.com'])).toMatchObject(OK);
    expect(await clew('admin', ['user', 'reset-password', 'ada'], [PASSWORD])).toMatchObject(OK);
    expect(await clew('admin', ['user', 'remove', 'ada'])).toMatchObject(OK);
    expect(await clew('admin', ['user', 'remove', 'ada'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('user ada not found'),
    });
  });

  it('is not created with an invalid role or password', async () => {
    expect(await clew('admin', ['user', 'add', 'bob', '--role', 'king'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/role king not found; available: Administrator, /),
    });
    expect(await clew('admin', ['user', 'add', 'bob'], ['weak'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at least 12 characters'),
    });
  });

  it('has a second factor, loses the authenticator, and signs in with a recovery code', async () => {
    await clew('admin', ['user', 'add', 'eve'], [PASSWORD]);
    await clew('eve', ['login', '--user', 'eve'], [PASSWORD, 'Another-Horse-2', 'Another-Horse-2']);
    // The authenticator codes are computed from the secret on the screen.
    const codes: string[] = [];
    const shown = await runWithCode('eve', ['user', 'mfa'], codes);
    expect(shown.stderr).toContain('Scan this with an authenticator');
    const recovery = shown.stdout.trim().split('\n');
    expect(recovery).toHaveLength(10);
    expect(await clew('eve', ['login', '--user', 'eve'], ['Another-Horse-2', '000000'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the code is not valid'),
    });
    expect(await clew('eve', ['login', '--user', 'eve'], ['Another-Horse-2', recovery[0]])).toMatchObject(OK);
    expect((await clew('admin', ['users'])).stdout).toMatch(/eve .*password and code/);
    expect(await clew('admin', ['user', 'mfa', 'eve', '--off'])).toMatchObject(OK);
    expect(await clew('eve', ['login', '--user', 'eve'], ['Another-Horse-2'])).toMatchObject(OK);
    expect(await clew('admin', ['user', 'mfa', 'eve'])).toMatchObject({ code: 2 });
  });

  /** Answers the prompt for a code with one computed from the displayed secret. */
  async function runWithCode(
    who: string,
    args: readonly string[],
    codes: string[],
  ): Promise<FinishedProcess> {
    const { runCommandLine } = await import('./program/program.ts');
    const { testScreen } = await import('../test/testScreen.ts');
    const [out, err] = [testScreen(), testScreen()];
    const code = await runCommandLine(
      {
        env: { HOME: join(directory, who), CLEW_URL: service.url },
        ...{ out: out.screen, err: err.screen, directory },
        signal: new AbortController().signal,
        async askSecret(question) {
          if (!question.startsWith('Code')) return 'Another-Horse-2';
          const secret = /enter its secret: (\w+)/.exec(err.text())?.[1] ?? '';
          codes.push(await generate({ secret }));
          return codes[0];
        },
        withQuestions: () => Promise.reject(new Error('nothing is asked here')),
        readInput: async () => '',
      },
      args,
    );
    return { code, stdout: out.text(), stderr: err.text() };
  }
});

describe('tokens', () => {
  it('are created, listed, used and revoked', async () => {
    const made = await clew('admin', ['token', 'add', 'siem', '--days', '30']);
    const [, id] = /CLEW_TOKEN_ID=(\S+)/.exec(made.stdout) ?? [];
    expect(id).toBeDefined();
    const { stdout } = await clew('admin', ['tokens']);
    expect(stdout).toMatch(new RegExp(`${id} +siem .*20\\d\\d-\\d\\d-\\d\\d`));
    expect(await clew('admin', ['token', 'revoke', id])).toMatchObject(OK);
    expect((await clew('admin', ['tokens'])).stdout).not.toContain(id);
  });
});

describe('providers', () => {
  it('are added, tested, listed and removed', async () => {
    const add = [
      'sso',
      'add',
      'Acme',
      '--issuer',
      'http://127.0.0.1:9',
      '--client-id',
      'clew',
      '--make-users',
      'user',
    ];
    const added = await clew('admin', add);
    expect(added).toMatchObject(OK);
    expect(added.stderr).toContain('/api/v2/sso/acme/callback');
    // Nothing listens there.
    expect(await clew('admin', ['sso', 'test', 'Acme'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('misconfiguration'),
    });
    expect((await clew('admin', ['sso', 'list'])).stdout).toMatch(/Acme +OIDC +http:\/\/127.0.0.1:9 +yes/);
    expect(await clew('admin', ['sso', 'remove', 'acme'])).toMatchObject(OK);
    await writeFile(join(directory, 'metadata.xml'), METADATA);
    expect(await clew('admin', ['sso', 'add', 'x', '--metadata', 'metadata.xml'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('supports HTTP POST binding'),
    });
    expect(await clew('admin', ['sso', 'add', 'x'])).toMatchObject({ code: 2 });
  });
});

describe('a flood of wrong passwords', () => {
  it('takes little memory, and other requests are answered', async () => {
    const resident = async (): Promise<number> => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20;
    };
    const before = await resident();
    const attempt = (n: number) =>
      fetch(`${service.url}/api/v2/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login_method: 'secret', username: `user${n}`, secret: 'wrong' }),
      }).then(({ status }) => status);
    const flood = Promise.all(Array.from({ length: 60 }, (_, n) => attempt(n)));
    let most = before;
    for (let n = 0; n < 10; n++) {
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
      most = Math.max(most, await resident());
    }
    const statuses = await flood;
    expect(statuses.filter((status) => ![401, 429].includes(status))).toEqual([]);
    expect(most - before).toBeLessThan(500);
    expect(await clew('admin', ['login', '--user', 'admin'])).toMatchObject(OK);
  });
});
