/** Runs the examples of docs/sdk.md and the programs in examples/ like a user, on a running service. */
import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ClewClient } from '@clew/client';
import { freePort } from '@clew/embedded/testing';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

let directory: string;
let service: ServiceHere;
let client: ClewClient;
/** With an API token, like programs. */
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-sdk-'));
  service = await serveHere(directory, { CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await writeForestZip(generateForest({ users: 30, seed: 3 }), join(directory, 'collection.zip'));
  const self = (await client.call('GetSelf')).data;
  const body = { user_id: self.id, token_name: 'sdk' };
  const token = (await client.call('CreateAuthToken', { body })).data as { id: string; key: string };
  variables = { CLEW_URL: service.url, CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key };
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

it('run with the packed client, in plain JavaScript', async () => {
  const { jobId } = await client.uploadFiles([join(directory, 'collection.zip')]);
  await client.waitForJob(jobId);
  const packages = join(directory, 'packages');
  await run(process.execPath, [join(ROOT, 'scripts', 'packClient.ts'), packages], { cwd: ROOT });
  // Like an npm installation: this repository is not reachable.
  const modules = join(directory, 'program', 'node_modules');
  await mkdir(join(modules, '@clew'), { recursive: true });
  const own = ['client', 'api', 'model'].map((name) => join(packages, name));
  await run('cp', ['-r', ...own, join(modules, '@clew')]);
  for (const name of ['typebox', 'undici'])
    await run('cp', ['-r', join(ROOT, 'node_modules', name), modules]);
  const page = await readFile(join(ROOT, 'docs', 'sdk.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  expect(examples.length).toBeGreaterThan(8);
  const imports = examples.join('').match(/^import .*$/gm) ?? [];
  const code = examples.map((example) => `${example.replaceAll(/^import .*$/gm, '')}`).join('\n');
  await writeFile(join(directory, 'program', 'examples.mjs'), `${imports.join('\n')}\n${code}\n`);
  const { stdout, stderr } = await run(process.execPath, ['program/examples.mjs'], {
    cwd: directory,
    env: variables,
  });
  expect(stdout).toMatch(/AURORA\.EXAMPLE/);
  expect(stdout).toMatch(/DOMAIN ADMINS@/);
  expect(stdout).toMatch(/\d+ critical findings/);
  expect(stdout).toMatch(/\d+ edges|no path/);
  expect(stdout).toMatch(/GenericAll Privileges on Tier Zero Objects/);
  expect(stderr).toMatch(/^404 /m);
  // The declarations that users of the package compile with: a difference is a change of the public interface. `-u` accepts it.
  await expect(await declarations(join(packages, 'client', 'dist'))).toMatchFileSnapshot(
    join(ROOT, 'packages', 'client', 'api-report.txt'),
  );
});

/** Declarations of a packed package, without comments, file by file. */
async function declarations(dist: string): Promise<string> {
  const files = (await readdir(dist)).filter((name) => name.endsWith('.d.ts')).sort();
  const texts = files.map(async (name) => {
    const text = await readFile(join(dist, name), 'utf8');
    return `## ${name}\n\n${text.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n');
}

describe('the programs in examples/', () => {
  const example = (name: string, ...args: readonly string[]) =>
    run(process.execPath, [join(ROOT, 'examples', name), ...args], {
      cwd: directory,
      env: { ...process.env, ...variables },
    });

  it('are listed in README', async () => {
    const readme = await readFile(join(ROOT, 'examples', 'README.md'), 'utf8');
    const programs = globSync('*.ts', { cwd: join(ROOT, 'examples') }).filter(
      (name) => name !== 'connect.ts',
    );
    expect(programs.sort()).toEqual(['first-repairs.ts', 'upload-in-ci.ts', 'webhook-receiver.ts']);
    for (const name of programs) expect(readme).toContain(`(${name})`);
  });

  it('upload-in-ci fails only above its limit', async () => {
    const { stdout } = await example('upload-in-ci.ts', '100', 'collection.zip');
    expect(stdout).toMatch(/^job \d+: Complete$/m);
    expect(stdout).toMatch(/% can reach Tier Zero$/m);
    await expect(example('upload-in-ci.ts', '0', 'collection.zip')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exposure is above 0%'),
    });
    await expect(example('upload-in-ci.ts')).rejects.toMatchObject({ code: 2 });
  });

  it('first-repairs prints cards and counts', async () => {
    const { stdout } = await example('first-repairs.ts');
    expect(stdout).toMatch(/^AURORA\.EXAMPLE: \d+ of \d+ can reach Tier Zero$/m);
    expect(stdout).toMatch(/^1\. \S/m);
    expect(stdout).toMatch(/^\d+ critical findings are open$/m);
  });

  it('webhook-receiver accepts only requests signed by the service', async () => {
    const secretOf = async (url: string) => {
      const body = { name: 'example', url, event_types: ['finding.opened'] };
      return (await client.call('CreateWebhook', { body: body as never })).data as {
        id: string;
        secret: string;
      };
    };
    const port = await freePort();
    const webhook = await secretOf(`http://127.0.0.1:${port}/`);
    const receiver = spawn(process.execPath, [join(ROOT, 'examples', 'webhook-receiver.ts')], {
      env: { ...process.env, WEBHOOK_SECRET: webhook.secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let said = '';
      receiver.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      await expect.poll(() => said, { timeout: 100_000 }).toContain('listening on port');
      const forged = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body: '{"type":"forged","data":{}}',
        headers: {
          'webhook-id': '1',
          'webhook-timestamp': String(Date.now() / 1000),
          'webhook-signature': 'v1,AA==',
        },
      });
      expect(forged.status).toBe(401);
      await client.call('TestWebhook', { params: { webhook_id: webhook.id } } as never);
      await expect.poll(() => said, { timeout: 100_000 }).toContain('webhook.test');
      expect(said).not.toContain('forged');
    } finally {
      receiver.kill();
    }
  });
});

it('loads no part of Node in a browser', async () => {
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, from = ''] of text.matchAll(/^(?:import|export)[^;]*? from '([^']+)'/gm)) {
      expect([file, from]).not.toEqual([file, expect.stringMatching(/^node:|^undici|^pg$/)]);
      if (from.startsWith('.')) await visit(join(file, '..', from));
      if (from === '@clew/api') await visit(join(ROOT, 'packages', 'api', 'src', 'index.ts'));
    }
  };
  await visit(join(ROOT, 'packages', 'client', 'src', 'index.ts'));
  expect(seen.size).toBeGreaterThan(30);
});
