/** Enterprise certificate authorities. Rule: `docs/reference/collections.md#certificate-services`. */
import type { EdgeFact } from '@clew/model';
import { type AccessEntry, accessEdges, accessEntries } from './accessList.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';
import { edge } from './edges.ts';
import { edgeFromHost, hostName } from './hostNames.ts';
import type { Members } from './members.ts';
import { Method } from './methods.ts';
import type { Principal } from './principal.ts';
import { isSid } from './sid.ts';
import { ACCESS_TYPE } from './words.ts';

export const enterpriseCas = directoryType({
  type: 'enterprisecas',
  kind: 'EnterpriseCA',
  leavesOut: isServiceRight,
  read: (ca) => {
    readHost(ca);
    const published = ca.principals('EnabledCertTemplates').map(({ id }) => ({ id, kind: 'CertTemplate' }));
    readPublishedTemplates(ca, published);
    const registry = ca.child('CARegistryData');
    if (registry !== undefined) {
      readServiceAccessList(ca, registry);
      readEnrollmentAgents(ca, registry, published);
      readRegistryFlags(ca, registry);
    }
    readEnrollmentEndpoints(ca);
  },
});

/** The null SID. */
const NOBODY = 'S-1-0-0';

function readHost(ca: DirectoryObject): void {
  ca.addAspect('ca-service', ca.enumerates('HostingComputer', Method.CertServices), () => {
    const computer = { id: ca.id('HostingComputer'), kind: 'Computer' };
    // Collectors that could not resolve the host write null, an empty text, a name or a sentence.
    if (ca.isStub || !ca.has('HostingComputer')) return { edges: [] };
    if (isSid(computer.id) && computer.id !== NOBODY)
      return { edges: [edge(computer, 'HostsCAService', ca.self)] };
    ca.properties.hostunresolved = true;
    ca.problems.note(
      'the hosting computer of the CA is not given by its ID; the only computer with its DNS name is used, and where ' +
        'none or several have that name, the CA counts as active with an unknown host',
    );
    const host = hostName(computer.id, '');
    if (host === undefined) return { edges: [] };
    return { edges: [], matchedEdges: [edgeFromHost(host, 'HostsCAService', ca.self)] };
  });
}

function readPublishedTemplates(ca: DirectoryObject, published: readonly Principal[]): void {
  ca.addAspect('published-templates', ca.enumerates('EnabledCertTemplates', Method.CertServices), () => ({
    edges: published.map((template) => edge(template, 'PublishedTo', ca.self)),
  }));
}

/** Rights that the CA service reads from its registry only. */
const SERVICE_RIGHTS: ReadonlySet<string> = new Set(['ManageCA', 'ManageCertificates', 'Enroll']);

/**
 * If the registry was read, the service rights in the directory's list do not apply, except those of the hosting computer. An earlier
 * collection may have read the registry: its rights are kept in addition.
 */
function isServiceRight(ca: DirectoryObject): ((entry: AccessEntry) => boolean) | undefined {
  if (ca.child('CARegistryData')?.collected('CASecurity') === undefined) return undefined;
  const host = ca.id('HostingComputer');
  return ({ principal, right }) => SERVICE_RIGHTS.has(right) && principal.id !== host;
}

/**
 * The access list of the CA service itself, from its registry, which takes precedence.
 *
 * Omits the owner, who has no right on the service, and the Administrators of the host, whose members control the host.
 */
function readServiceAccessList(ca: DirectoryObject, registry: Members): void {
  const security = registry.collected('CASecurity');
  if (security === undefined) return;
  ca.addAspect('ca-acl', ca.file.isWhole, () => {
    const entries = accessEntries(ca, 'CARegistryData.CASecurity.Data', security.list('Data')).filter(
      ({ principal, right }) => !isHostAdministrators(principal) && right !== 'Owns',
    );
    return { edges: accessEdges(ca, entries) };
  });
}

const isHostAdministrators = ({ id, kind }: Principal): boolean =>
  kind === 'ADLocalGroup' && id.endsWith('-544');

/** Denying entries are not evaluated, nor are the users for whom an agent may act. */
const ALLOWED = 'AccessAllowedCallback';

/** Reads the principals that may request certificates on behalf of others, if the CA restricts this. */
function readEnrollmentAgents(ca: DirectoryObject, registry: Members, published: readonly Principal[]): void {
  const collected = registry.collected('EnrollmentAgentRestrictions');
  if (collected === undefined || deniesCollecting(ca, 'enrollmentagentrestrictions')) return;
  ca.addAspect('enrollment-agents', ca.file.isWhole, () => {
    const restrictions = collected.children('Restrictions');
    ca.properties.hasenrollmentagentrestrictions = restrictions.length > 0;
    return { edges: restrictions.flatMap((restriction) => agentEdges(restriction, published)) };
  });
}

function agentEdges(restriction: Members, published: readonly Principal[]): EdgeFact[] {
  const agent = restriction.principal('Agent');
  if (agent === undefined || restriction.word('AccessType', ACCESS_TYPE) !== ALLOWED) return [];
  const template = restriction.principal('Template');
  const one = template === undefined ? [] : [{ id: template.id, kind: 'CertTemplate' }];
  const templates = restriction.flag('AllTemplates') === true ? published : one;
  return templates.map((to) => edge(agent, 'DelegatedEnrollmentAgent', to));
}

/** One collector marks values as "collected" that were not requested; a property of the CA contradicts it. */
const deniesCollecting = ({ properties }: DirectoryObject, part: string): boolean =>
  properties[`${part}collected`] === false;

function readRegistryFlags(ca: DirectoryObject, registry: Members): void {
  for (const name of ['IsUserSpecifiesSanEnabled', 'RoleSeparationEnabled']) {
    const key = name.toLowerCase();
    const value = deniesCollecting(ca, key) ? undefined : registry.collected(name)?.flag('Value');
    if (value !== undefined) ca.properties[key] = value;
  }
}

/** Web enrollment that is vulnerable to relay: over plain HTTP, or over HTTPS without channel binding. */
function readEnrollmentEndpoints(ca: DirectoryObject): void {
  const collected = ca
    .children('HttpEnrollmentEndpoints')
    .filter((endpoint) => endpoint.flag('Collected') === true);
  if (collected.length === 0) return;
  const http: string[] = [];
  const https: string[] = [];
  for (const endpoint of collected) {
    const result = endpoint.child('Result');
    const url = result?.text('Url') ?? '';
    if (result === undefined || url === '') continue;
    if (result.flag('ADCSWebEnrollmentHTTP') === true) http.push(url);
    if (result.flag('ADCSWebEnrollmentHTTPS') === true && result.flag('ADCSWebEnrollmentEPA') !== true) {
      https.push(url);
    }
  }
  // Null clears the addresses of an earlier collection.
  ca.properties.httpenrollmentendpoints = http.length > 0 ? http : null;
  ca.properties.httpsenrollmentendpoints = https.length > 0 ? https : null;
  ca.properties.hasvulnerableendpoint = http.length > 0 || https.length > 0;
}
