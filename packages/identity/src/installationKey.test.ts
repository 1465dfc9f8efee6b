import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InstallationKeyError, loadInstallationKeys, SECRET_KEY_FILE } from './installationKey.ts';

let directory: string;
const keyFile = () => join(directory, SECRET_KEY_FILE);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the installation key', () => {
  it('is created once, readable by the owner only, and read again', async () => {
    const first = await loadInstallationKeys(undefined, directory);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await loadInstallationKeys(undefined, directory)).toEqual(first);
    expect(await readdir(directory)).toEqual([SECRET_KEY_FILE]);
  });

  it('is the same key when several processes start at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadInstallationKeys(undefined, directory)),
    );
    expect(new Set(keys.map((key) => key.fingerprint.toString('hex'))).size).toBe(1);
  });

  it('derives keys that reveal nothing about each other or the root', async () => {
    const { sealing, session, fingerprint } = await loadInstallationKeys(undefined, directory);
    const root = (await readFile(keyFile(), 'utf8')).trim();
    const texts = [sealing, session, fingerprint].map((key) => Buffer.from(key).toString('base64'));
    expect(new Set([...texts, root]).size).toBe(4);
  });

  it('removes read access of others', async () => {
    await loadInstallationKeys(undefined, directory);
    await chmod(keyFile(), 0o644);
    await loadInstallationKeys(undefined, directory);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  });

  it('comes from the configuration if set there, without a file', async () => {
    await loadInstallationKeys('0123456789abcdef0123456789abcdef', directory);
    expect(await readdir(directory)).toEqual([]);
  });

  it('refuses a short key and an empty file', async () => {
    await expect(loadInstallationKeys('short', directory)).rejects.toThrow(InstallationKeyError);
    await writeFile(keyFile(), '');
    await expect(loadInstallationKeys(undefined, directory)).rejects.toThrow(InstallationKeyError);
  });
});
