/** Checks a commit out in a separate directory, with the packages of its lock file. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** @returns a function that removes the directory from the worktrees of the repository @throws Error if the commit is unknown */
export function checkOut(root: string, commit: string, directory: string): () => void {
  run(root, 'git', ['worktree', 'add', '--quiet', '--detach', directory, commit]);
  const release = (): void => run(root, 'git', ['worktree', 'remove', '--force', directory]);
  try {
    const lockOf = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
    if (lockOf(root) === lockOf(directory)) linkPackages(root, directory);
    else run(directory, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** Links third-party packages and those of the tree itself. */
function linkPackages(root: string, directory: string): void {
  mkdirSync(join(directory, 'node_modules/@clew'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@clew')
      symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  for (const name of readdirSync(join(directory, 'packages'))) {
    symlinkSync(join(directory, 'packages', name), join(directory, 'node_modules/@clew', name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(directory, 'packages', name, 'node_modules'));
  }
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
