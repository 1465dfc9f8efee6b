/** Words the forest is named with. All organizations and people are invented; domains end in a reserved TLD. */
import type { Shape } from './teams.ts';

const FIRST_NAMES = [
  ...['ADA', 'ALVA', 'AMIR', 'ANNA', 'ARVID', 'ASTRID', 'BEATRIZ', 'BO', 'CARLA', 'CHEN', 'CLARA', 'DAVID'],
  ...['DIANA', 'EBBA', 'ELIAS', 'ELIF', 'EMIL', 'EVA', 'FARAH', 'FELIX', 'FREYA', 'GABRIEL', 'GRETA', 'HANA'],
  ...['HUGO', 'IDA', 'INGRID', 'IVAN', 'JAKOB', 'JANA', 'JONAS', 'JULIA', 'KAI', 'KARIN', 'KOFI', 'LARS'],
  ...['LEILA', 'LENA', 'LINUS', 'LUCIA', 'MALIK', 'MARA', 'MATEO', 'MEI', 'MILA', 'NADIA', 'NILS', 'NORA'],
  ...['OLGA', 'OMAR', 'OSCAR', 'PAULA', 'PETRA', 'RAVI', 'ROSA', 'SAMIR', 'SARA', 'SVEN', 'TARA', 'TOMAS'],
  ...['VERA', 'VIKTOR', 'YARA', 'ZOE'],
] as const;

const LAST_NAMES = [
  ...[
    'ABEL',
    'AHO',
    'ALMEIDA',
    'ANDERS',
    'BAKER',
    'BERG',
    'BLOM',
    'BRANDT',
    'CASTRO',
    'COHEN',
    'DAHL',
    'DIAZ',
  ],
  ...[
    'DUBOIS',
    'EKLUND',
    'FISCHER',
    'FONTAINE',
    'GARCIA',
    'GRANT',
    'HAAS',
    'HANSEN',
    'HOLM',
    'HUANG',
    'IBSEN',
  ],
  ...[
    'JANSEN',
    'KANE',
    'KELLER',
    'KIM',
    'KLEIN',
    'KOVAC',
    'LARSEN',
    'LIND',
    'LOPEZ',
    'LUND',
    'MARTIN',
    'MEYER',
  ],
  ...[
    'MORENO',
    'MULLER',
    'NAGY',
    'NGUYEN',
    'NIELSEN',
    'NOVAK',
    'OKAFOR',
    'OLSEN',
    'PATEL',
    'PEREZ',
    'PETROV',
  ],
  ...['RAMOS', 'REED', 'RICHTER', 'ROSSI', 'SATO', 'SCHMIDT', 'SILVA', 'SINGH', 'STONE', 'STRAND', 'SUZUKI'],
  ...['TANAKA', 'THOMSEN', 'VARGA', 'VOGEL', 'WAGNER', 'WEBER', 'WINTER'],
] as const;

/**
 * Names beyond ASCII, already in upper case: Latin with marks, one Greek, one Cyrillic, one Arabic and one Han pair.
 * No letter whose upper and lower case differ in length or meaning by language (such as the German sharp s).
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

/** In later shapes than 1 one person in twelve has a name beyond ASCII. */
const INTERNATIONAL_EACH = 12;
const INTERNATIONAL_AT = 7;

const CITIES = [
  ...['OSLO', 'BERGEN', 'LISBON', 'PORTO', 'VIENNA', 'GRAZ', 'LYON', 'NANTES', 'TURIN', 'MILAN', 'GHENT'],
  ...['BRUGES', 'MALMO', 'LUND', 'TAMPERE', 'TURKU', 'BRNO', 'PRAGUE', 'GDANSK', 'KRAKOW', 'RIGA', 'TARTU'],
  ...['DUBLIN', 'CORK', 'LEEDS', 'BRISTOL', 'BASEL', 'BERN', 'SPLIT', 'ZAGREB', 'ATHENS', 'PATRAS'],
] as const;

export const DEPARTMENTS = [
  ...['FINANCE', 'SALES', 'MARKETING', 'ENGINEERING', 'RESEARCH', 'LEGAL', 'HUMAN_RESOURCES', 'LOGISTICS'],
  ...['PROCUREMENT', 'PRODUCTION', 'QUALITY', 'SUPPORT', 'FACILITIES', 'EXECUTIVE'],
] as const;

const APPLICATIONS = [
  ...[
    'LEDGER',
    'PAYROLL',
    'CRM',
    'WIKI',
    'TICKETS',
    'WAREHOUSE',
    'SHOP',
    'REPORTING',
    'ARCHIVE',
    'MES',
    'PLM',
  ],
  ...['BUILD', 'FILES', 'PRINT', 'INTRANET', 'TELEPHONY', 'LAB', 'BADGE', 'FLEET', 'TREASURY'],
] as const;

export interface Person {
  readonly first: string;
  readonly last: string;
  /** Unique over all indices of a domain. */
  readonly account: string;
}

/** @returns the same person for the same index; accounts are numbered when names run out. */
export function personName(index: number, shape: Shape): Person {
  if (shape !== 1 && index % INTERNATIONAL_EACH === INTERNATIONAL_AT) {
    return personOf(
      Math.floor(index / INTERNATIONAL_EACH),
      INTERNATIONAL_FIRST_NAMES,
      INTERNATIONAL_LAST_NAMES,
    );
  }
  return personOf(index, FIRST_NAMES, LAST_NAMES);
}

function personOf(index: number, firstNames: readonly string[], lastNames: readonly string[]): Person {
  const pairs = firstNames.length * lastNames.length;
  // 2741 is coprime to the number of pairs: a walk through all of them that does not look sorted.
  const pair = (Math.imul(index % pairs, 2741) >>> 0) % pairs;
  const first = firstNames[pair % firstNames.length] as string;
  const last = lastNames[Math.floor(pair / firstNames.length)] as string;
  const round = Math.floor(index / pairs);
  return { first, last, account: round === 0 ? `${first}.${last}` : `${first}.${last}${round + 1}` };
}

/** @returns the local part of a mail address: as the account, unless that is not ASCII. */
export const mailName = ({ account }: Person, index: number): string =>
  /^[\x21-\x7e]+$/.test(account) ? account.toLowerCase() : `user${index + 1}`;

function numbered(words: readonly string[], index: number): string {
  const round = Math.floor(index / words.length);
  const word = words[index % words.length] as string;
  return round === 0 ? word : `${word}${round + 1}`;
}

export const siteName = (index: number): string => numbered(CITIES, index);
export const applicationName = (index: number): string => numbered(APPLICATIONS, index);
/** Units with the machines and accounts of an organization that was bought once, one below the other. */
export const ACQUIRED_UNITS = [
  ...['ACQUIRED', 'NORDVIK', 'GRUPPE MÜNCHEN', 'FABRIK 2', 'LINE 3', 'STEUERUNG', 'OLD', 'DO NOT DELETE'],
] as const;

const PROJECTS = [
  ...['ATLAS', 'BEACON', 'COMET', 'DRIFT', 'ØRSTED', 'FJORD', 'GRANIT', 'HÖHE', 'IRIS', 'JUNO', 'KELVIN'],
  ...[
    'LYNX',
    'MÉTÉO',
    'NOVA',
    'ORBIT',
    'PRISMA',
    'QUARTZ',
    'RÉSEAU',
    'SIRIUS',
    'TUNDRA',
    'ÜBERSICHT',
    'VEGA',
  ],
] as const;

const PURPOSES = ['MAIL', 'MEMBERS', 'READERS', 'EDITORS', 'GUESTS', 'ARCHIVE', 'TEST'] as const;

export const projectGroupName = (index: number): string =>
  `PRJ_${numbered(PROJECTS, Math.floor(index / PURPOSES.length))}_${PURPOSES[index % PURPOSES.length]}`;

const ACCESS_TOPICS = [
  ...['MAILBOX', 'FOLDER', 'SITE', 'LIST', 'LICENSE', 'PRINTER', 'REPORT', 'ROOM', 'VPN', 'CLOUD', 'DRIVE'],
  ...['QUEUE', 'DASHBOARD'],
] as const;

export const accessGroupName = (index: number): string =>
  `ACL_${ACCESS_TOPICS[index % ACCESS_TOPICS.length]}_${String(index + 1).padStart(5, '0')}`;

export const shareName = (index: number): string =>
  `${DEPARTMENTS[index % DEPARTMENTS.length]}_${String(Math.floor(index / DEPARTMENTS.length) + 1).padStart(4, '0')}`;
