/** The first line of messages about repairs. */
import type { Message } from './workSystem.ts';

const WORDS: Readonly<Record<Message['kind'], string>> = {
  create: 'To do',
  note: 'News of',
  close: 'Verified',
  reopen: 'Not done',
};

export const headlineOf = ({ kind, ticket }: Message): string =>
  `${ticket.headline ?? WORDS[kind]}: ${ticket.title}`;
