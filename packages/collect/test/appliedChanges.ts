/** Makes declared changes of a kit in the directory of the lab with ldbmodify, and undoes them. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from './lab.ts';

/** A change in `changes.json` of a kit. */
export interface DeclaredChange {
  readonly id: string;
  readonly kind: string;
  readonly removed: readonly {
    readonly source: { readonly object_id: string };
    readonly relation: string;
    readonly target: { readonly object_id: string };
  }[];
  readonly values: readonly {
    readonly object: { readonly object_id: string };
    readonly property: string;
    readonly now: unknown;
    readonly wanted: unknown;
  }[];
  readonly engine: string | null;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** GUID of the container to which an administrator moves the object. */
  readonly target?: string;
}

/** Facts that `undoChanges` restores, by id of the change. */
export type Saved = Readonly<Record<string, unknown>>;

interface Written {
  readonly parts: readonly { readonly controls: readonly string[]; readonly ldif: string }[];
  readonly saved: Saved;
}

const SCRIPT = join(import.meta.dirname, './lab/changes.py');

const databaseOf = ({ directory }: Lab): string => join(directory, 'private/sam.ldb');

const written = (lab: Lab, input: object): Promise<Written> =>
  new Promise((resolve, reject) => {
    const args = [SCRIPT, databaseOf(lab), join(lab.directory, 'etc/smb.conf')];
    const child = execFile('/usr/bin/python3', args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error === null ? resolve(JSON.parse(stdout)) : reject(new Error(stderr || error.message)),
    );
    child.stdin?.end(JSON.stringify(input));
  });

async function modify(lab: Lab, { parts }: Written): Promise<void> {
  const file = join(lab.directory, 'change.ldif');
  for (const { controls, ldif } of parts) {
    writeFileSync(file, ldif);
    const options = controls.flatMap((control) => ['--controls', control]);
    await lab.run('ldbmodify', '-H', databaseOf(lab), ...options, file);
  }
}

/** @param changes of different objects @returns the facts that `undoChanges` restores */
export async function applyChanges(lab: Lab, changes: readonly DeclaredChange[]): Promise<Saved> {
  const all = await written(lab, { mode: 'apply', changes });
  await modify(lab, all);
  return all.saved;
}

export async function undoChanges(lab: Lab, changes: readonly DeclaredChange[], saved: Saved): Promise<void> {
  const all = changes.map((change) => ({ ...change, saved: saved[change.id] }));
  await modify(lab, await written(lab, { mode: 'undo', changes: all }));
}
