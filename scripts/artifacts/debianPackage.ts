/** `clew_VERSION_ARCHITECTURE.deb`: the tree in `/opt/clew`, a hardened unit for systemd, and a separate user. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './runtimes.ts';

const SCRIPTS: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
if command -v systemd-sysusers > /dev/null; then systemd-sysusers clew.conf
else getent passwd clew > /dev/null || useradd --system --user-group --home-dir /var/lib/clew --shell /usr/sbin/nologin clew
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl try-restart clew.service || true; fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now clew.service || true; fi
`,
  // The data stays: it describes a network, and only an administrator deletes it.
  postrm: `#!/bin/sh
set -e
if [ "$1" = purge ]; then rm -rf /etc/clew; echo "clew: the data in /var/lib/clew is left as it is" >&2; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
`,
};

export interface DebianParts {
  readonly root: string;
  readonly tree: string;
  readonly version: string;
  readonly architecture: Architecture;
  /** Time of all files, in seconds. */
  readonly epoch: number;
}

/** @param work directory for the unpacked package @param out directory of the written file */
export function writeDebianPackage(parts: DebianParts, work: string, out: string): void {
  const { root, tree, version, architecture, epoch } = parts;
  const at = (path: string): string => join(work, path);
  rmSync(work, { recursive: true, force: true });
  for (const folder of [
    'DEBIAN',
    'opt',
    'usr/bin',
    'usr/lib/systemd/system',
    'usr/lib/sysusers.d',
    'usr/share/doc/clew',
    'etc/clew',
  ])
    mkdirSync(at(folder), { recursive: true });
  cpSync(tree, at('opt/clew'), { recursive: true });
  symlinkSync('../../opt/clew/clew', at('usr/bin/clew'));
  cpSync(join(root, 'deploy/clew.service'), at('usr/lib/systemd/system/clew.service'));
  cpSync(join(root, 'LICENSE'), at('usr/share/doc/clew/copyright'));
  writeFileSync(at('usr/lib/sysusers.d/clew.conf'), 'u clew - "Clew attack path management" /var/lib/clew\n');
  writeFileSync(at('etc/clew/clew.env'), '# Settings of the service, one in a line: CLEW_PORT=8080\n');
  // Sizes of files, because the number of blocks depends on the file system.
  const size = readdirSync(work, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  const control = {
    Package: 'clew',
    Version: version,
    Architecture: architecture === 'x64' ? 'amd64' : 'arm64',
    Maintainer: 'Clew maintainers <clew@example.invalid>',
    'Installed-Size': Math.ceil(size / 1024),
    Depends: 'libc6 (>= 2.28), libstdc++6, libgcc-s1, zlib1g',
    Recommends: 'systemd',
    Section: 'net',
    Priority: 'optional',
    Description:
      'Attack path management for Active Directory and Entra ID\n Finds attack paths into Tier Zero, and ranks the changes that close them.',
  };
  const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(at('DEBIAN/control'), lines.join(''));
  writeFileSync(at('DEBIAN/conffiles'), '/etc/clew/clew.env\n');
  for (const [name, script] of Object.entries(SCRIPTS)) writeFileSync(at(`DEBIAN/${name}`), script);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', work]);
  for (const name of Object.keys(SCRIPTS)) chmodSync(at(`DEBIAN/${name}`), 0o755);
  chmodSync(at('etc/clew/clew.env'), 0o600);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', work, out], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  });
}
