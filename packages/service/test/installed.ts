/**
 * Clients in other languages, which tests install by the ordinary clients of their registries into a folder that is kept. Where a
 * language, or its registry, is missing, the tests that need it are skipped, and say so.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/installed-clients');
const INSTALL_MS = 180_000;
const GO_DRIVER = 'github.com/neo4j/neo4j-go-driver/v5@v5.28.4';

function ran(command: string, args: readonly string[], cwd: string): boolean {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: INSTALL_MS });
  if (status !== 0)
    process.stderr.write(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim().slice(-300)}\n`);
  return status === 0;
}

/** @param install fills a folder @returns the folder, once it is complete; nothing where that fails */
function kept(name: string, install: (folder: string) => boolean): string | undefined {
  const folder = join(FOLDER, name);
  if (existsSync(join(folder, 'complete'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!install(folder)) return undefined;
  writeFileSync(join(folder, 'unfinished'), '');
  renameSync(join(folder, 'unfinished'), join(folder, 'complete'));
  return folder;
}

/** @param packages with their versions @returns the programs of an environment of Python with these packages */
export function installedPython(name: string, ...packages: readonly string[]): string | undefined {
  const folder = kept(
    name,
    (into) =>
      ran('python3', ['-m', 'venv', into], into) &&
      ran(join(into, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', ...packages], into),
  );
  return folder && join(folder, 'bin');
}

/** @param source a program with the driver for Go @returns the program, built from its present text */
export function installedGo(source: string): string | undefined {
  const folder = kept('go', (into) => {
    copyFileSync(source, join(into, 'main.go'));
    return ran('go', ['mod', 'init', 'example.test/ask'], into) && ran('go', ['get', GO_DRIVER], into);
  });
  if (folder === undefined) return undefined;
  copyFileSync(source, join(folder, 'main.go'));
  return ran('go', ['build', '-o', 'ask', '.'], folder) ? join(folder, 'ask') : undefined;
}
