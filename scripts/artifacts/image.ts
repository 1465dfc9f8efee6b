/**
 * `clew-VERSION-linux-ARCHITECTURE.oci.tar`: an OCI image, created without an engine. Its base consists of six Debian packages that are
 * extracted but not configured; the service runs in it as user 65532, with a root that may be read-only, and stores its data in a volume.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './runtimes.ts';

/**
 * The base, which is defined only here. `CLEW_DEBIAN_MIRROR` replaces the address, for example with that of a dated snapshot: the same
 * packages give the same digest.
 */
const DEBIAN = {
  suite: 'bookworm',
  mirror: process.env.CLEW_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian',
  packages: ['base-files', 'libc6', 'libstdc++6', 'libgcc-s1', 'zlib1g', 'dash'],
};
const USER = '65532';
/** Parts of the base that no program of the image uses. */
const UNUSED = `rm -rf var/cache/* var/log/* var/lib/apt usr/share/doc/*/changelog* usr/share/man usr/share/locale usr/share/i18n
rm -rf usr/share/info usr/share/lintian usr/share/bug usr/lib/*/gconv usr/lib/locale dev/* boot home media mnt root srv
rm -f usr/bin/ldd usr/bin/iconv usr/bin/localedef usr/bin/catchsegv usr/bin/tzselect usr/bin/zdump usr/bin/pldd usr/bin/sotruss
rm -f usr/bin/sprof usr/bin/mtrace usr/bin/xtrace usr/bin/getconf usr/bin/locale usr/bin/pcprofiledump
rm -f usr/sbin/zic usr/sbin/iconvconfig usr/sbin/ldconfig`;

export interface ImageParts {
  readonly tree: string;
  readonly version: string;
  readonly architecture: Architecture;
  /** Time of all files, in seconds. */
  readonly epoch: number;
}

/** @param work directory for the layers @param out directory of the written file @returns the digest of the image's manifest */
export function writeImage(parts: ImageParts, work: string, out: string): string {
  const { tree, version, architecture, epoch } = parts;
  rmSync(work, { recursive: true, force: true });
  const root = join(work, 'root');
  mkdirSync(root, { recursive: true });
  const shell = (script: string, cwd = root): string =>
    execFileSync('sh', ['-ec', script], {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      env: {
        ...process.env,
        BUILDAH_ISOLATION: 'chroot',
        STORAGE_DRIVER: 'vfs',
        SOURCE_DATE_EPOCH: String(epoch),
      },
    });
  const hooks = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr';
  const include = `--include=${DEBIAN.packages.join(',')}`;
  shell(
    `mmdebstrap --quiet --variant=extract ${include} --components=main ${hooks} ${DEBIAN.suite} ../base.tar ${DEBIAN.mirror}`,
  );
  shell(`tar xpf ../base.tar; ${UNUSED}`);
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/:/sbin/nologin\nclew:x:${USER}:${USER}:clew:/var/lib/clew:/sbin/nologin\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nclew:x:${USER}:\n`);
  rmSync(join(root, 'usr/bin/sh'), { force: true });
  symlinkSync('dash', join(root, 'usr/bin/sh'));
  for (const folder of ['opt', 'var/lib/clew', 'tmp']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(tree, join(root, 'opt/clew'), { recursive: true });
  shell(`chown -R 0:0 .; chmod 1777 tmp; chown ${USER}:${USER} var/lib/clew; chmod 700 var/lib/clew`);
  const order = `--sort=name --mtime=@${epoch} --numeric-owner --format=gnu`;
  shell(`find . -depth -exec touch -h -d @${epoch} {} +; LC_ALL=C tar ${order} -cf ../root.tar .`);
  const store = mkdtempSync(join(work, 'store-'));
  const buildah = `buildah --root ${store}/root --runroot ${store}/run`;
  const variables = {
    ...{ CLEW_HOST: '0.0.0.0', CLEW_DATA_DIR: '/var/lib/clew', HOME: '/var/lib/clew' },
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  };
  const labels = { title: 'clew', version, licenses: 'Apache-2.0' };
  const settings = [
    `--user ${USER}:${USER} --workingdir /var/lib/clew --port 8080 --volume /var/lib/clew --stop-signal SIGTERM`,
    ...Object.entries(variables).map(([name, value]) => `--env ${name}=${value}`),
    ...Object.entries(labels).map(([name, value]) => `--label org.opencontainers.image.${name}=${value}`),
    `--entrypoint '["/opt/clew/runtime/node","/opt/clew/lib/clew.mjs"]' --cmd serve --created-by clew`,
    `--os linux --arch ${architecture === 'x64' ? 'amd64' : 'arm64'}`,
  ].join(' ');
  const file = join(out, `clew-${version}-linux-${architecture}.oci.tar`);
  rmSync(file, { force: true });
  shell(
    `container=$(${buildah} from scratch)
${buildah} add --quiet $container ../root.tar / > /dev/null
${buildah} config ${settings} $container
${buildah} commit --quiet --timestamp ${epoch} --rm $container clew:${version} > /dev/null
${buildah} push --quiet clew:${version} oci:${work}/layout:clew:${version} > /dev/null`,
  );
  const { manifests } = JSON.parse(readFileSync(join(work, 'layout/index.json'), 'utf8'));
  const archive = `${order} --owner=0 --group=0`;
  shell(`LC_ALL=C tar -C ../layout ${archive} -cf ${file} .`);
  return manifests[0].digest;
}
