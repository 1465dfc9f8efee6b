/**
 * The description of the API, for programs and users: an OpenAPI document, and an interactive reference, a custom page that reads
 * `/api/v2/spec` and sends requests, optionally signed. It loads nothing from other origins; the usual packages for this include a
 * telemetry dependency.
 */
import { readFileSync } from 'node:fs';
import type { Edition } from '@clew/api';
import { apiError, type Handlers } from '@clew/common';
import { Descriptions } from './openapi/descriptions.ts';

const MEDIA_TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'credentials.js': 'text/javascript; charset=utf-8',
  'examples.js': 'text/javascript; charset=utf-8',
  'elements.js': 'text/javascript; charset=utf-8',
} as const;

/** Only scripts, styles and requests of this origin; no inline code and no frames. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

export interface ApiReferenceParts {
  readonly version: string;
  readonly edition: Edition;
}

export function apiReferenceHandlers(
  parts: ApiReferenceParts,
): Handlers<'GetApiReference' | 'GetApiReferenceFile' | 'GetApiSpec' | 'GetApiSpecFile'> {
  const files = new Map(
    Object.entries(MEDIA_TYPES).map(([name, mediaType]) => [
      name,
      { mediaType, text: readFileSync(new URL(`./static/${name}`, import.meta.url), 'utf8') },
    ]),
  );
  const answer = (name: string) => {
    const file = files.get(name);
    if (file === undefined) throw apiError('resourceNotFound');
    return { status: 200, headers: HEADERS, ...file };
  };
  const descriptions = new Descriptions();
  return {
    GetApiReference: async () => answer('index.html'),
    GetApiReferenceFile: async ({ params }) => answer(params.file),

    async GetApiSpec({ query }, { headers }) {
      const { openapi } = query;
      const format = wantsJson(query.format, headers.accept) ? 'json' : 'yaml';
      const text = await descriptions.text({ ...parts, openapi, format });
      return { status: 200, text, mediaType: format === 'json' ? 'application/json' : 'text/x-yaml' };
    },

    async GetApiSpecFile() {
      const text = await descriptions.text({ ...parts, openapi: '3.0', format: 'yaml' });
      return { status: 200, text, mediaType: 'text/x-yaml' };
    },
  };
}

function wantsJson(format: unknown, accept = ''): boolean {
  if (format !== undefined) return format === 'json';
  return !/\byaml\b/i.test(accept);
}
