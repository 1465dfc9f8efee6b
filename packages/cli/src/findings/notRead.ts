/** Lists unread parts of environments next to their findings, because unread data may hide findings. */
import type { DomainSelector } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { unreadSentence } from '@clew/model';
import { printable } from '../terminal/text.ts';

/** @returns a line per environment with unread parts; empty if all were read */
export async function notReadText(client: ClewClient, signal: AbortSignal): Promise<string> {
  return notReadLines((await client.call('GetAvailableDomains', {}, { signal })).data);
}

export function notReadLines(environments: readonly Pick<DomainSelector, 'name' | 'not_read'>[]): string {
  return environments
    .flatMap(({ name, not_read }) => unreadSentence(name, not_read) ?? [])
    .map((sentence) => `${printable(sentence)}.\n`)
    .join('');
}
