/** The tables of packages and rooms for `docs/architecture.md`, from the import rule that `npm run check` enforces. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Layers = Readonly<Record<string, readonly string[]>>;

const ROOT = join(import.meta.dirname, '..');
const rule = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  readonly layers: { readonly packages: Layers; readonly rooms: Readonly<Record<string, Layers>> };
};

/** The contents of each room in the packages that are capabilities of the service. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  common: {
    operation:
      'parts of a handler: its types, context, errors, principal, audit log, lists (filters, sorting, paging)',
    config: 'environment variables, log',
    tracing: 'spans of requests, statements, jobs and outgoing requests, sent to a receiver of OpenTelemetry',
    outgoing: 'requests to addresses that users name',
    threads: 'threads that answer requests: starting, asking and ending them',
  },
  server: {
    apiReference: 'the OpenAPI document and its page',
    system: 'health, version, metrics, data pipe',
    pages: 'the files of the web interface',
    http: 'the pipeline of a request',
    bolt: 'the protocol of graph databases: listener, sessions, values',
  },
  intake: {
    ingest: 'uploads, their jobs and statuses, staging, merge',
    collectors: 'collector clients, schedules, jobs with their logs, batches, releases of collectors',
    openGraph: 'custom kinds and sources, definitions of other platforms',
    housekeeping: 'aging, deletions',
  },
  explore: {
    graphs: 'entities, lists, search, paths, export',
    cypher: 'Cypher queries in a thread of their own, saved queries, selectors that are queries',
    bolt: 'answers to queries of Bolt, with their types',
    requests: 'analysis on request, features',
    explain: 'compositions of derived edges',
  },
  judgment: {
    definitions: 'relationships that definitions of other platforms derive',
    quality: 'completeness of collected data',
    history: 'changes between generations',
    findings: 'zones, findings, acceptance, posture, asset groups',
    webhooks: 'receivers of changes, and deliveries',
    mentions: 'users whom notes mention',
  },
  planning: {
    repairs: 'changes that end relationships: kinds, settings, policies, texts; what nothing ends',
    simulation: 'changed facts, and the rules and findings that run again over them',
    packages: 'repairs that are done together, and their prices',
    relaxation: 'the graph of attack paths whose steps carry repairs',
    explain: 'evidence, open findings, choke points, easiest paths, texts of packages',
    search: 'cuts, cards and their bounds',
  },
  plans: {
    tasks: 'what a thread works out: the plan of a zone, what-if, choke points, evidence, differences',
    threads: 'the threads of plans, and which of them answers',
    stored: 'plans, saved ones, and those that were started',
    run: 'whole plans of each generation, without a request',
    http: 'handlers of plans, and what a user may see of them',
    inbox: 'changes since a user looked last, and how far they are read',
    reports: 'reports that are kept and made on a schedule, masked ones',
  },
  collect: {
    ber: 'BER, read and written',
    net: 'connections with checked certificates, streams cut into messages',
    ldap: 'an LDAP client that cannot write',
    kerberos: 'tickets by password, keytab and credential cache; sealed sessions',
    signIn: 'ways to sign in at a controller, each encrypted',
    descriptor: 'security descriptors, SIDs and GUIDs from hostile bytes',
    rights: 'from access lists to rights, asked as the directory asks',
    sysvol: 'settings of group policies from their files',
    smb: 'an SMB client that reads files, signed',
    probes: 'questions to hosts that a user asks for: signing, channel binding, web enrollment',
    directory: 'one domain in two passes, its objects as records',
    entra: 'a tenant of Entra ID by Microsoft Graph, as records',
    files: 'collection files',
    runner: 'runs: a controller that answers, files that are whole or not there',
  },
  worker: { generations: 'generations: steps, publishing' },
};

/** Table of packages: their contents from `package.json`, and the packages that they import, lowest first. */
export function packageTable(): string {
  const rows = Object.entries(rule.layers.packages).map(([name, imports]) => {
    const file = join(ROOT, 'packages', name, 'package.json');
    const { description } = JSON.parse(readFileSync(file, 'utf8')) as { readonly description?: string };
    if (description === undefined) throw new Error(`packages/${name}/package.json has no description`);
    return `| \`${name}\` | ${description} | ${namesOf(imports) || 'nothing'} |`;
  });
  return ['| Package | Owns | May import |', '| --- | --- | --- |', ...rows].join('\n');
}

export function roomTable(): string {
  const rows = Object.entries(ROOMS).flatMap(([name, owned]) => {
    const rooms = rule.layers.rooms[name] ?? {};
    const unknown = Object.keys(owned).filter((room) => !Object.hasOwn(rooms, room));
    if (unknown.length > 0) throw new Error(`the import rule has no rooms ${unknown.join(', ')} in ${name}`);
    return Object.entries(rooms).map(([room, imports]) => {
      const owns = owned[room];
      if (owns === undefined)
        throw new Error(`scripts/layers.ts does not describe the room ${room} of ${name} owns`);
      return `| \`${name}/${room}\` | ${owns} | ${namesOf(imports)} |`;
    });
  });
  return ['| Room | Owns | Builds on |', '| --- | --- | --- |', ...rows].join('\n');
}

const namesOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
