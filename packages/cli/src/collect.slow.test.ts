/** `clew collect` as a newcomer uses it: from a running controller and an ordinary account to the first card, in one command. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lab, missingForLab, startLab } from '@clew/collect/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './testing/runCommand.ts';
import { type ServeProcess, startServe } from './testing/serveProcess.ts';

const missing = missingForLab();

describe.skipIf(missing !== undefined)(`clew collect${missing === undefined ? '' : ` (${missing})`}`, () => {
  let lab: Lab;
  let service: ServeProcess;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'clew-collect-end-'));
    lab = await startLab();
    service = await startServe(join(root, 'data'));
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await lab?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const run = (args: readonly string[], secret?: string) =>
    runCommand(
      { url: service.url, home: root, directory: root, ...(secret !== undefined && { secret }) },
      args,
    );
  const controller = (): readonly string[] => [
    '--host',
    lab.host,
    '--address',
    lab.address,
    '--user',
    lab.user,
  ];

  it('says what the account may see and what to announce', async () => {
    const { code, stdout } = await run(['collect', ...controller(), '--check'], lab.password);
    expect(code).toBe(0);
    expect(stdout).toContain('clew-reader@clewlab.test is an ordinary account');
    expect(stdout).toContain('Access lists can be read');
    expect(stdout).toContain('Certificate services are there');
    expect(stdout).toContain('Tell the security operations center');
    const asAdmin = await run(
      [
        'collect',
        '--host',
        lab.host,
        '--address',
        lab.address,
        '--user',
        'administrator@clewlab.test',
        '--check',
      ],
      'Pass-word-9-Admin',
    );
    expect(asAdmin.stdout).toMatch(/Warning: administrator@clewlab\.test is in .*Domain Admins/);
  });

  it('reads, hands over, and shows the first card; no file stays behind', async () => {
    expect((await run(['login', '--user', 'admin'])).code).toBe(0);
    writeFileSync(join(root, 'password'), `${lab.password}\n`, { mode: 0o600 });
    const { code, stdout, stderr } = await run([
      ...['collect', ...controller(), '--password-file', 'password'],
    ]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('Read CLEWLAB.TEST from dc1.clewlab.test');
    expect(stdout).toContain('Note: policies with a password that every user can read');
    expect(stdout).toMatch(/^ {2}1\. /m);
    expect(stdout + stderr).not.toContain(lab.password);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`clew-collect-${process.pid}-`))).toEqual(
      [],
    );
  }, 300_000);
});
