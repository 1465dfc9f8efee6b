/** Group policy files, wherever SYSVOL is available. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD_FILES, POLICY_FILES, type PolicySettings, readPolicySettings } from './policySettings.ts';

export interface PolicyFiles {
  /** @param path in the share: `lab.test/Policies/{...}/GPT.INI` @returns undefined if the file does not exist */
  read(path: string): Promise<Buffer | undefined>;
  close(): void;
}

/** Policies are text files; larger ones are something else. */
export const MAX_POLICY_BYTES = 16 * 2 ** 20;

/** @param folder name of the policy's folder: `{GUID}` */
export async function readPolicy(
  files: PolicyFiles,
  domain: string,
  folder: string,
): Promise<PolicySettings> {
  const found = new Map<string, Buffer>();
  for (const path of [...Object.values(POLICY_FILES), ...PASSWORD_FILES]) {
    const bytes = await files.read(`${domain}/Policies/${folder}/${path}`);
    if (bytes !== undefined) found.set(path, bytes);
  }
  return readPolicySettings(found);
}

/** SYSVOL as a local directory: mounted or copied. */
export class MountedPolicyFiles implements PolicyFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Matches names case-insensitively, because file systems differ in case. */
  async read(path: string): Promise<Buffer | undefined> {
    let at = this.#root;
    for (const part of path.split('/')) {
      const names = await readdir(at).catch(() => []);
      const found = names.find((name) => name.toLowerCase() === part.toLowerCase());
      if (found === undefined) return undefined;
      at = join(at, found);
    }
    const { size } = await stat(at);
    if (size > MAX_POLICY_BYTES) throw new Error(`${at} has ${size} bytes; the limit is ${MAX_POLICY_BYTES}`);
    return readFile(at);
  }

  close(): void {}
}
