/** Words the forest is named with. All organisations and people are invented; domains end in a reserved TLD. */

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
export function personName(index: number): Person {
  const pairs = FIRST_NAMES.length * LAST_NAMES.length;
  // 2741 is coprime to the number of pairs: a walk through all of them that does not look sorted.
  const pair = (Math.imul(index % pairs, 2741) >>> 0) % pairs;
  const first = FIRST_NAMES[pair % FIRST_NAMES.length] as string;
  const last = LAST_NAMES[Math.floor(pair / FIRST_NAMES.length)] as string;
  const round = Math.floor(index / pairs);
  return { first, last, account: round === 0 ? `${first}.${last}` : `${first}.${last}${round + 1}` };
}

function numbered(words: readonly string[], index: number): string {
  const round = Math.floor(index / words.length);
  const word = words[index % words.length] as string;
  return round === 0 ? word : `${word}${round + 1}`;
}

export const siteName = (index: number): string => numbered(CITIES, index);
export const applicationName = (index: number): string => numbered(APPLICATIONS, index);
export const shareName = (index: number): string =>
  `${DEPARTMENTS[index % DEPARTMENTS.length]}_${String(Math.floor(index / DEPARTMENTS.length) + 1).padStart(4, '0')}`;
