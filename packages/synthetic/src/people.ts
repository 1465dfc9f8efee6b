/** Names of the people of an organization. All of them are invented. */
import { dialectOf } from './dialects/index.ts';
import type { DomainPlan } from './plan.ts';

/**
 * Names beyond ASCII, already in upper case: Latin with marks, one Greek, one Cyrillic, one Arabic and one Han pair. Letters whose case
 * conversion changes the length or depends on the language, such as the German sharp s, are avoided.
 */
const INTERNATIONAL_FIRST_NAMES = [
  ...[
    'BJÖRK',
    'SØREN',
    'ÅSA',
    'JÖRG',
    'FRANÇOIS',
    'ZOË',
    'JOSÉ',
    'ÁGNES',
    'ŁUKASZ',
    'ŽOFIE',
    'NOËL',
    'RENÉE',
  ],
  ...['ŞEYMA', 'JOÃO', 'ÍRIS', 'MARTIÑO', 'ΕΛΕΝΗ', 'ОЛЬГА', 'ليلى', '王'],
] as const;

const INTERNATIONAL_LAST_NAMES = [
  ...[
    'ÅNGSTRÖM',
    'MÜLLER',
    'GARÇON',
    'NÚÑEZ',
    'KOVÁČ',
    'ŚWIĄTEK',
    'HØEGH',
    'GUÐMUNDSDÓTTIR',
    'DVOŘÁK',
    'ÇELEBI',
  ],
  ...['LEÃO', 'SZABÓ', 'BÉRENGER', 'ŠIMIĆ', 'ŌTANI', 'ÖZER', 'ΠΑΠΠΑ', 'ИВАНОВА', 'حداد', '小明'],
] as const;

/** In shapes later than 1, one person in twelve has a name beyond ASCII. */
const INTERNATIONAL_EACH = 12;
const INTERNATIONAL_AT = 7;

export interface Person {
  readonly first: string;
  readonly last: string;
  /** Unique among all people of a domain. */
  readonly account: string;
}

/** @returns the same person for the same index; accounts are numbered if there are too few names */
export function personName(index: number, named: Pick<DomainPlan, 'shape' | 'dialect'>): Person {
  const { firstNames, lastNames, account } = dialectOf(named);
  const isInternational = named.shape !== 1 && index % INTERNATIONAL_EACH === INTERNATIONAL_AT;
  const person = isInternational
    ? personOf(Math.floor(index / INTERNATIONAL_EACH), INTERNATIONAL_FIRST_NAMES, INTERNATIONAL_LAST_NAMES)
    : personOf(index, firstNames, lastNames);
  return { ...person, account: account(person.account, index) };
}

function personOf(index: number, firstNames: readonly string[], lastNames: readonly string[]): Person {
  const pairs = firstNames.length * lastNames.length;
  // 2741 is coprime to the number of pairs, so this visits all of them in an order that does not look sorted.
  const pair = (Math.imul(index % pairs, 2741) >>> 0) % pairs;
  const first = firstNames[pair % firstNames.length] as string;
  const last = lastNames[Math.floor(pair / firstNames.length)] as string;
  const round = Math.floor(index / pairs);
  return { first, last, account: round === 0 ? `${first}.${last}` : `${first}.${last}${round + 1}` };
}

/** @returns the local part of a mail address: the account, if it is ASCII */
export const mailName = ({ account }: Person, index: number): string =>
  /^[\x21-\x7e]+$/.test(account) ? account.toLowerCase() : `user${index + 1}`;
