/** Words for the names in a forest. All organizations and people are invented; domains have a reserved TLD. */
export const FIRST_NAMES = [
  ...['ADA', 'ALVA', 'AMIR', 'ANNA', 'ARVID', 'ASTRID', 'BEATRIZ', 'BO', 'CARLA', 'CHEN', 'CLARA', 'DAVID'],
  ...['DIANA', 'EBBA', 'ELIAS', 'ELIF', 'EMIL', 'EVA', 'FARAH', 'FELIX', 'FREYA', 'GABRIEL', 'GRETA', 'HANA'],
  ...['HUGO', 'IDA', 'INGRID', 'IVAN', 'JAKOB', 'JANA', 'JONAS', 'JULIA', 'KAI', 'KARIN', 'KOFI', 'LARS'],
  ...['LEILA', 'LENA', 'LINUS', 'LUCIA', 'MALIK', 'MARA', 'MATEO', 'MEI', 'MILA', 'NADIA', 'NILS', 'NORA'],
  ...['OLGA', 'OMAR', 'OSCAR', 'PAULA', 'PETRA', 'RAVI', 'ROSA', 'SAMIR', 'SARA', 'SVEN', 'TARA', 'TOMAS'],
  ...['VERA', 'VIKTOR', 'YARA', 'ZOE'],
] as const;

export const LAST_NAMES = [
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

function numbered(words: readonly string[], index: number): string {
  const round = Math.floor(index / words.length);
  const word = words[index % words.length] as string;
  return round === 0 ? word : `${word}${round + 1}`;
}

export const siteName = (index: number): string => numbered(CITIES, index);
export const applicationName = (index: number): string => numbered(APPLICATIONS, index);
/** Nested units with the machines and accounts of an acquired organization. */
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

/** Groups of a project are consecutive, one for each purpose. */
export const topicOfProject = (index: number): string =>
  numbered(PROJECTS, Math.floor(index / PURPOSES.length));
export const purposeOf = (index: number): string => PURPOSES[index % PURPOSES.length] as string;

const ACCESS_TOPICS = [
  ...['MAILBOX', 'FOLDER', 'SITE', 'LIST', 'LICENSE', 'PRINTER', 'REPORT', 'ROOM', 'VPN', 'CLOUD', 'DRIVE'],
  ...['QUEUE', 'DASHBOARD'],
] as const;

export const accessTopic = (index: number): string => ACCESS_TOPICS[index % ACCESS_TOPICS.length] as string;

/** @param departments names of all departments, as the organization calls them */
export const shareName = (departments: readonly string[], index: number): string =>
  `${departments[index % departments.length]}_${String(Math.floor(index / departments.length) + 1).padStart(4, '0')}`;
