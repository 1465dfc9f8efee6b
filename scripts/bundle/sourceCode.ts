/** Sources for a bundle: if an address in them is unknown, no bundle is created. */
import { dirname, resolve } from 'node:path';
import { type Place, ROOT } from './places.ts';
import { THREAD_ADDRESS } from './threads.ts';

/** An expression that depends on the location of the file. */
const PLACE = /import\.meta|\b__dirname\b|\b__filename\b|\brequire\.resolve\b/;
/** Such an expression, or an import with a computed name. */
const ADDRESS = new RegExp(`${PLACE.source}|(?<![#.\\w])import\\((?!\\s*['"])`);

export class UnknownAddressError extends Error {
  override readonly name = 'UnknownAddressError';
}

/**
 * @param file path of the source
 * @param places the places of this source
 * @param threads names of scripts by the paths of their sources
 * @throws UnknownAddressError for an address that would be invalid in the bundle, or a place that is no longer in the source
 */
export function bundledSource(
  code: string,
  file: string,
  places: readonly Place[],
  threads: ReadonlyMap<string, string>,
): string {
  let rest = code;
  let bundled = code;
  for (const { source, bundled: replacement } of places) {
    if (source === undefined) return replacement;
    if (code.split(source).length !== 2)
      throw new UnknownAddressError(`${file} no longer says once: ${source}`);
    rest = rest.replace(source, '');
    bundled = bundled.replace(source, () => replacement);
  }
  const script = (address: string): string => {
    const name = threads.get(resolve(dirname(file), address));
    if (name === undefined) throw new UnknownAddressError(`${file}: ${address} is not a thread`);
    return `new URL('${ROOT}/${name}.mjs', import.meta.url)`;
  };
  rest = withoutComments(rest.replace(THREAD_ADDRESS, ''));
  const unknown = ADDRESS.exec(rest);
  if (unknown !== null) {
    const line = rest
      .slice(rest.lastIndexOf('\n', unknown.index) + 1)
      .split('\n', 1)[0]
      .trim();
    throw new UnknownAddressError(`${file}: the bundle does not know this address: ${line}`);
  }
  return bundled.replace(THREAD_ADDRESS, (_, address: string) => script(address));
}

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** Third-party packages that depend on their location, with the reason why this does not matter in a bundle. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  pino: 'its transports run in threads of their own; the service writes its log itself',
  'thread-stream': 'the thread of those transports',
  undici: 'takes its own path out of stack traces, for the names of mocks',
};

/** @param code of a package, as part of the bundle @throws UnknownAddressError if it depends on its location without a known reason */
export function refuseAddresses(name: string, code: string): void {
  if (name in NOT_ASKED) return;
  const unknown = PLACE.exec(withoutComments(code));
  if (unknown !== null)
    throw new UnknownAddressError(`the package ${name} asks where it is: ${unknown[0]}; see NOT_ASKED`);
}

/** @param fileName path of a chunk relative to the root of the bundle */
export function withRoot(code: string, fileName: string): string {
  const depth = fileName.split('/').length - 1;
  return code.replaceAll(ROOT, depth === 0 ? '.' : Array(depth).fill('..').join('/'));
}
