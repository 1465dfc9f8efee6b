/** `clew-VERSION-linux-ARCHITECTURE.tar.gz`: one self-contained directory. */
import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** @param epoch time of all files, in seconds @param file path of the written file; the same tree gives the same bytes */
export function writeTarball(tree: string, file: string, epoch: number): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const header = '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime';
  const order = ['--sort=name', `--mtime=@${epoch}`, '--format=posix', header];
  execFileSync(
    'tar',
    ['-C', dirname(tree), ...order, ...owner, '--use-compress-program=gzip -9n', '-cf', file, basename(tree)],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LC_ALL: 'C' } },
  );
}
