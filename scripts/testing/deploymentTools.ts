/** The tools that check files of `deploy/`. If one is missing, its test is skipped with a message. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect } from 'vitest';

type Tool = (path: string) => ReturnType<typeof runs>;

const runs = (command: string, ...args: string[]) =>
  spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });

export function has(command: string): boolean {
  const isThere = runs(command, ['nginx', 'haproxy'].includes(command) ? '-v' : '--help').error === undefined;
  if (!isThere) process.stderr.write(`${command} not found: its test of files in deploy/ is skipped.\n`);
  return isThere;
}

/** Call it once at the top of the file; the directory exists during its tests. */
export function useDirectory(): { readonly path: string } {
  let path: string;
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'clew-deploy-'));
  });
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
  };
}

/** @returns outcomes of a tool for a file, and for a variant with one changed text */
export function statuses(
  {
    directory,
    file,
    content,
  }: { readonly directory: string; readonly file: string; readonly content: string },
  [text, broken]: readonly [string, string],
  tool: Tool,
): readonly [good: string, twin: string] {
  const twin = content.replace(text, broken);
  expect(twin).not.toBe(content);
  const path = join(directory, file.split('/').at(-1) as string);
  const outcome = (of: string): string => {
    writeFileSync(path, of);
    const { status, stdout, stderr } = tool(path);
    return status === 0 ? 'accepted' : `refused: ${stdout}${stderr}`;
  };
  return [outcome(content), outcome(twin)];
}

export const checkCompose: Tool = (path) =>
  runs('check-jsonschema', '--builtin-schema', 'vendor.compose-spec', path);

export const checkKubernetes: Tool = (path) => runs('kubernetes-validate', '-k', '1.33', '--strict', path);

export const checkHaproxy: Tool = (path) => {
  // Addresses, because the names are resolved.
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/db\d\.example/g, '127.0.0.1'));
  return runs('haproxy', '-c', '-f', path);
};

/** @returns a tool for a file that is included in `http { }`, with a certificate of its own */
export async function nginxTool(directory: string): Promise<Tool> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'clew.example' }]);
  mkdirSync(join(directory, 'tls'));
  writeFileSync(join(directory, 'tls/clew.key'), key);
  writeFileSync(join(directory, 'tls/clew.crt'), cert);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join(' ');
  return (path) => {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/etc/nginx/tls', join(directory, 'tls')));
    const main = join(directory, 'nginx.conf');
    writeFileSync(
      main,
      `pid ${join(directory, 'pid')}; error_log stderr; events {}\nhttp { access_log off; ${temporary} include ${path}; }\n`,
    );
    return runs('nginx', '-t', '-c', main, '-p', directory);
  };
}
