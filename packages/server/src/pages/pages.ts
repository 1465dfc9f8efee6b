/**
 * The web interface: built files, read once and served from memory. Each address of the interface returns the same page, which handles the
 * path itself; files are named by their content and never change.
 */

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { acceptsCoding, apiError, codingWeights } from '@clew/common';
import type { Logger } from 'pino';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.zip': 'application/zip',
  '.woff2': 'font/woff2',
};

/** No external and no inline content; only the interface's code creates markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // A QR code is a data URL; exporting a drawing uses an object URL.
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types clew',
].join('; ');

const FOREVER = 'public, max-age=31536000, immutable';
const PAGE = 'index.html';

export interface PageRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Public address of the service. */
  readonly publicUrl: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly stream: Readable;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Pages = (
  request: PageRequest,
) => PageAnswer | { readonly status: 304; readonly headers: PageAnswer['headers'] } | undefined;

interface File {
  readonly mediaType: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/**
 * @param directory of the built interface @param log gets a warning if it was not built
 * @returns a function that answers its requests, or returns `undefined` for other addresses; if not built, its addresses report this
 */
export function openPages(directory: string, log?: Logger): Pages {
  if (!existsSync(join(directory, PAGE))) {
    log?.warn({ directory }, 'the web interface was not built: "npm run bundle" builds it');
    return notBuilt;
  }
  const files = new Map([...filesIn(directory)].map((path) => [path, readFile(directory, path)]));
  const page = files.get(PAGE)!.plain.toString('utf8');
  return ({ method, target, headers, publicUrl }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const path = pathOf(target);
    if (isPage(path)) return pageAnswer(page, publicUrl, headers['if-none-match']);
    const file = files.get(path.slice(1));
    if (file === undefined || path === `/${PAGE}`) return undefined;
    return fileAnswer(file, headers['accept-encoding'], path.startsWith('/assets/'));
  };
}

const notBuilt: Pages = ({ method, target }) => {
  if (method === 'GET' && isPage(pathOf(target))) throw apiError('pagesNotBuilt');
  return undefined;
};

const pathOf = (target: string): string => target.split(/[?#]/, 1)[0];

const isPage = (path: string): boolean => path === '/' || path === '/ui' || path.startsWith('/ui/');

function pageAnswer(page: string, publicUrl: string, known: string | undefined) {
  const root = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/`;
  const text = Buffer.from(page.replace('<base href="/" />', `<base href="${encodeURI(root)}" />`));
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  // Browsers replace stored headers with those of a 304, so it also needs the policy.
  const headers = { ...securityHeaders(), ETag: tag, 'Cache-Control': 'no-cache' };
  if (known === tag) return { status: 304, headers } as const;
  return { status: 200, stream: Readable.from([text]), mediaType: MEDIA_TYPES['.html'], headers };
}

/** Smallest output first. */
const CODINGS = ['br', 'gzip'] as const;

function fileAnswer(file: File, accepted: string | undefined, isNamedByContent: boolean): PageAnswer {
  const weights = codingWeights(accepted);
  const coding = CODINGS.find((one) => file[one] !== undefined && acceptsCoding(weights, one));
  const bytes = coding === undefined ? file.plain : file[coding]!;
  return {
    status: 200,
    stream: Readable.from([bytes]),
    mediaType: file.mediaType,
    headers: {
      ...securityHeaders(),
      'Cache-Control': isNamedByContent ? FOREVER : 'public, max-age=3600',
      'Content-Length': String(bytes.length),
      'Content-Encoding': coding ?? 'identity',
      Vary: 'Accept-Encoding',
    },
  };
}

const securityHeaders = () => ({
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'geolocation=(), camera=(), microphone=(), payment=()',
});

function* filesIn(directory: string, below = directory): Generator<string> {
  for (const name of readdirSync(below)) {
    const path = join(below, name);
    if (statSync(path).isDirectory()) yield* filesIn(directory, path);
    else if (!/\.(?:br|gz)$/.test(name)) yield relative(directory, path).replaceAll(sep, '/');
  }
}

function readFile(directory: string, path: string): File {
  const at = join(directory, path);
  const compressed = (ending: string) => (existsSync(at + ending) ? readFileSync(at + ending) : undefined);
  return {
    mediaType: MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    plain: readFileSync(at),
    br: compressed('.br'),
    gzip: compressed('.gz'),
  };
}
