/**
 * Runs a script of this repository with the right Node.js after installing missing dependencies, so that every npm script works alone on a
 * fresh clone. Intentionally plain JavaScript, because an old Node runs it first.
 *
 * Usage: node scripts/launch.mjs SCRIPT [ARGUMENT...]
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** 24.7 added argon2 to node:crypto. */
const REQUIRED = { major: 24, minor: 7 };

const LOCK = join(root, 'package-lock.json');
/** The list of installed packages, which npm writes. */
const INSTALLED = join(root, 'node_modules', '.package-lock.json');
/** Digest of the lock file whose packages are installed, for the next start. */
const DIGEST = join(root, 'node_modules', '.cache', 'clew-lock');

/**
 * Whether the packages of the lock file are installed. This compares contents, because file times are meaningless after a copy of the
 * checkout or in a restored cache.
 */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const digest = lockDigest();
  if (existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return true;
  // npm may have been called directly.
  if (!hasPackagesOfLock()) return false;
  keepDigest(digest);
  return true;
}

const lockDigest = () => createHash('sha256').update(readFileSync(LOCK)).digest('hex');

function keepDigest(digest) {
  mkdirSync(dirname(DIGEST), { recursive: true });
  writeFileSync(DIGEST, digest);
}

/** Optional packages for other platforms are not installed. */
function hasPackagesOfLock() {
  const [wanted, installed] = [LOCK, INSTALLED].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {},
  );
  const isPackage = (path) => path.includes('node_modules/');
  const isSame = (one, other) => one?.version === other?.version && one?.integrity === other?.integrity;
  return (
    Object.keys(installed).every((path) => !isPackage(path) || wanted[path] !== undefined) &&
    Object.entries(wanted).every(([path, one]) => {
      if (!isPackage(path)) return true;
      return installed[path] === undefined ? one.optional === true : isSame(one, installed[path]);
    })
  );
}

/**
 * Processes that run files of this checkout: its scripts, or programs of its dependencies, such as the bundled Node.js and PostgreSQL. An
 * editor that only reads the dependencies is not included.
 * @returns lines of process id and command; none if the system does not show them
 */
function runningProcesses() {
  const own = new Set([process.pid]);
  for (let pid = process.ppid; pid > 1 && !own.has(pid); pid = parentOf(pid) ?? 1) own.add(pid);
  const scripts = ['packages', 'scripts', 'dist'].map((name) => join(root, name) + sep);
  const programs = join(root, 'node_modules') + sep;
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && !own.has(Number(name)))
      .flatMap((pid) => {
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
          const program = readlinkSync(`/proc/${pid}/exe`);
          const isOurs =
            program.startsWith(programs) ||
            words.some((word) => scripts.some((path) => word.startsWith(path)));
          return isOurs ? [`${pid} ${words.join(' ').slice(0, 120)}`] : [];
        } catch {
          // It has ended, or belongs to another user.
          return [];
        }
      });
  } catch {
    return [];
  }
}

/** `npm ci` deletes the dependencies first, so running processes would miss files that they read later. */
function refuseWhileRunning() {
  const running = runningProcesses();
  if (running.length === 0) return;
  process.stderr.write(
    `clew: the dependencies have changed, and are not installed while processes of this checkout run:\n${running
      .slice(0, 10)
      .map((line) => `  ${line}\n`)
      .join('')}clew: stop them, then start this again\n`,
  );
  process.exit(1);
}

function install() {
  process.stderr.write('clew: installing dependencies (npm ci), once\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('clew: npm ci failed; see its messages above\n');
    process.exit(result.status ?? 1);
  }
  keepDigest(lockDigest());
}

function findRuntime() {
  const bundled = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(bundled)) return bundled;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > REQUIRED.major || (major === REQUIRED.major && minor >= REQUIRED.minor))
    return process.execPath;
  process.stderr.write(
    `clew: needs Node.js ${REQUIRED.major}.${REQUIRED.minor} or newer, found ${process.versions.node}, and no bundled one exists for ${process.platform}-${process.arch}\n`,
  );
  process.exit(1);
}

/** Sources of the web interface. */
const WEB_SOURCES = ['web', 'client', 'api', 'model', 'synthetic'].map((name) =>
  join(root, 'packages', name),
);
const WEB_PAGE = join(root, 'packages', 'web', 'dist', 'index.html');

/** Whether the build of the interface is up to date. */
function isBuilt() {
  if (!existsSync(WEB_PAGE)) return false;
  const built = statSync(WEB_PAGE).mtimeMs;
  return WEB_SOURCES.every((directory) =>
    readdirSync(directory, { recursive: true })
      .filter((path) => !/^(?:node_modules|dist|test|bench)\b|\.test\.tsx?$/.test(path))
      .map((path) => statSync(join(directory, path)))
      .every((file) => !file.isFile() || file.mtimeMs <= built),
  );
}

function build(runtime) {
  process.stderr.write('clew: building the web interface\n');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(
    runtime,
    [vite, 'build', join(root, 'packages', 'web'), '--logLevel', 'error', '--emptyOutDir'],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  // The rest of the service works without the interface, and reports that it is missing.
  if (result.status !== 0) process.stderr.write('clew: the web interface was not built\n');
}

/** The command from its sources, and from the bundle that `npm run bundle` writes. */
const COMMAND = 'packages/cli/src/main.ts';
const BUNDLE = join(root, 'dist');

/**
 * The bundle starts in half the time of the sources. Its digest shows whether it is up to date; file times are meaningless after a change
 * of branch.
 */
async function isBundled() {
  const manifest = join(BUNDLE, 'bundle.json');
  if (!existsSync(manifest)) return false;
  try {
    const { sourcesDigest } = await import('./bundle/sourcesDigest.mjs');
    if (JSON.parse(readFileSync(manifest, 'utf8')).sources === sourcesDigest(root)) return true;
  } catch {
    // A part of it is missing, or a file is being changed.
  }
  process.stderr.write(
    'clew: dist is a bundle of other sources, so the sources run ("npm run bundle" makes it again)\n',
  );
  return false;
}

if (!isInstalled()) {
  refuseWhileRunning();
  install();
}
const runtime = findRuntime();
const [script, ...scriptArguments] = process.argv.slice(2);
// A bundle contains the interface.
const runsBundle = script === COMMAND && (await isBundled());
if (!runsBundle && !isBuilt()) build(runtime);

const child = spawn(
  runtime,
  [runsBundle ? join(BUNDLE, 'clew.mjs') : join(root, script ?? ''), ...scriptArguments],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      // Compiled code is cached, so commands start in half the time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compile'),
      // Graphs are columns of hundreds of megabytes: large pages reduce the time to build and traverse them by a third.
      GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? 'glibc.malloc.hugetlb=1',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`.trim(),
    },
  },
);
/** Interval at which the launcher checks whether npm, which started it, is still running. */
const PARENT_CHECK_MS = 500;

const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh'];

/**
 * The processes through which npm started this one. The scripts of services use `exec`, so that npm itself is the parent: it forwards
 * signals and ends after this process. In other scripts, the parent may be a shell that does not forward signals and survives npm. The
 * processes that started npm may end.
 * @returns their process ids, nearest first
 */
function ancestors() {
  const parent = process.ppid;
  try {
    // `12 (sh) S 11 ...`; the name in parentheses may contain anything.
    const [, name, grandparent] = /^\d+ \((.*)\) \S (\d+)/s.exec(
      readFileSync(`/proc/${parent}/stat`, 'latin1'),
    );
    return SHELLS.includes(name) ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => end(signal));
if (process.env.npm_lifecycle_event !== undefined) {
  const atStart = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === atStart) return;
    clearInterval(watch);
    end('SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
}
/**
 * A service must end within this time after a signal, or it is killed. `CLEW_STOP_DELAY` is added, because the service still answers during
 * that time.
 */
const END_MS = 9_500;
const stopDelayMs = Number(process.env.CLEW_STOP_DELAY ?? 0) * 1000 || 0;
let isEnding = false;
/** Processes that the killed child had started; they end by themselves. */
let orphans = [];
/** An immediate shutdown of PostgreSQL takes a moment. */
const MAX_ORPHAN_MS = 5_000;

/** Forwards a signal; if the child has not ended in time, it is killed with its database. */
function end(signal) {
  child.kill(signal);
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => {
    process.stderr.write(`clew: not ended ${END_MS / 1000} s after ${signal}: it is killed\n`);
    orphans = childrenOf(child.pid);
    child.kill('SIGKILL');
    for (const pid of orphans) {
      try {
        // For PostgreSQL, this is an immediate shutdown; the next start recovers committed data.
        process.kill(pid, 'SIGQUIT');
      } catch {
        // It has already ended.
      }
    }
  }, END_MS + stopDelayMs).unref();
}

/** @returns process ids; none if the system does not show them */
function childrenOf(pid) {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
      .map(Number);
  } catch {
    return [];
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);
  } catch {
    return undefined;
  }
}

child.on('error', (error) => {
  process.stderr.write(`clew: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', async (code, signal) => {
  // After this, callers may copy the data directory.
  const deadline = Date.now() + MAX_ORPHAN_MS;
  while (orphans.some(isRunning) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  if (signal !== null) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
  process.exit(code ?? 1);
});
