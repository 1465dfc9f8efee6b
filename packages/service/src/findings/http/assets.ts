/** Texts about finding types, as markdown files. Rule: shared reference api-behaviour.md 9.4. */
import { createHash } from 'node:crypto';
import { FINDING_TEXTS, type FindingText, findingText, findingTypeById } from '@clew/model';
import { apiError } from '../../http/apiError.ts';
import type { Handler } from '../../http/handler.ts';

/** They change with a release only; the tag of the content tells. */
const CACHE_CONTROL = 'private, max-age=3600';
const MEDIA_TYPE = 'text/markdown; charset=utf-8';

export const findingAsset: Handler = async ({ params }, { headers }) => {
  const type = findingTypeById(params.finding_type);
  const name = params.asset_name.replace(/\.md$/, '');
  if (type === undefined || !isText(name)) throw apiError('resourceNotFound');
  const text = `${findingText(type, name)}\n`;
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const answer = { mediaType: MEDIA_TYPE, headers: { ETag: tag, 'Cache-Control': CACHE_CONTROL } };
  if (isKnown(headers['if-none-match'], tag)) return { ...answer, status: 304, text: '' };
  return { ...answer, status: 200, text };
};

const isText = (name: string): name is FindingText => (FINDING_TEXTS as readonly string[]).includes(name);

/** Weak comparison (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
