/** The examples of docs/sdk.md, run as a program of a user, with the packed client, against a really running service. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ClewClient } from '@clew/client';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from './testing/serveProcess.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

let directory: string;
let service: ServeProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-sdk-'));
  service = await startServe(join(directory, 'data'));
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

it('runs them all with the packed client, in plain JavaScript', async () => {
  const client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await writeForestZip(generateForest({ users: 100, seed: 3 }), join(directory, 'collection.zip'));
  const { jobId } = await client.uploadFiles([join(directory, 'collection.zip')]);
  await client.waitForJob(jobId);
  const self = (await client.call('GetSelf')).data;
  const body = { user_id: self.id, token_name: 'sdk' };
  const token = (await client.call('CreateAuthToken', { body })).data as { id: string; key: string };
  const packages = join(directory, 'packages');
  await run(process.execPath, [join(ROOT, 'scripts', 'packClient.ts'), packages], { cwd: ROOT });
  // As npm installs it: nothing of this repository is in reach.
  const modules = join(directory, 'program', 'node_modules');
  await mkdir(join(modules, '@clew'), { recursive: true });
  await run('cp', ['-r', join(packages, 'client'), join(packages, 'api'), join(modules, '@clew')]);
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
    env: { CLEW_URL: service.url, CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key },
  });
  expect(stdout).toMatch(/AURORA\.EXAMPLE/);
  expect(stdout).toMatch(/DOMAIN ADMINS@/);
  expect(stdout).toMatch(/\d+ critical findings/);
  expect(stdout).toMatch(/\d+ edges|no path/);
  expect(stdout).toMatch(/GenericAll Privileges on Tier Zero Objects/);
  expect(stderr).toMatch(/^404 /m);
  // The types are there for those who compile.
  const declarations = await readFile(join(packages, 'client', 'dist', 'index.d.ts'), 'utf8');
  expect(declarations).toContain('ClewClient');
});

it('loads nothing of Node in a browser', async () => {
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
