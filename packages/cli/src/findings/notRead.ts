/** What was not read of environments, beside what was found in them: nothing read is not nothing wrong. */
import type { DomainSelector } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { UNREAD_PARTS } from '@clew/model';
import { printable } from '../terminal/text.ts';

const NAMES: Readonly<Record<string, string>> = UNREAD_PARTS;

/** @returns a line for each environment of which a part was not read; empty when all were read */
export async function notReadText(client: ClewClient, signal: AbortSignal): Promise<string> {
  return notReadLines((await client.call('GetAvailableDomains', {}, { signal })).data);
}

export function notReadLines(environments: readonly Pick<DomainSelector, 'name' | 'not_read'>[]): string {
  return environments
    .filter(({ not_read }) => (not_read ?? []).length > 0)
    .map(({ name, not_read = [] }) => {
      if (not_read.includes('environment')) return `${printable(name)} was not collected.\n`;
      return `Not read of ${printable(name)}: ${not_read.map((part) => NAMES[part] ?? printable(part)).join(', ')}.\n`;
    })
    .join('');
}
