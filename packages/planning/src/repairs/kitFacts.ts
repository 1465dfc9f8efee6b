/**
 * Reads from the graph the facts that a directory change needs: scripts are built from ids, never from sentences. A fact that no
 * collector reports, or that this collection lacks, is listed with the reason, so that a script asks for it or is omitted.
 *
 * Rule: `docs/kits.md#facts`.
 */
import {
  type AnalysisContext,
  domains,
  type EdgeRef,
  edgeNameOf,
  inheritanceSource,
  isInherited,
  type Reads,
  SYNCHRONIZED,
} from '@clew/analysis';
import { kindsOf, NO_NODE, type NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { EdgeKind, nodeKindById } from '@clew/model';
import { scopesOf } from './assignmentScopes.ts';
import { deniedServices } from './deniedLogons.ts';
import type { KitFactName, KitFacts, KitFactValues, KitObject, KitRelation, Known } from './kitFactTypes.ts';
import { distinctName } from './objectNames.ts';
import { policyMembers } from './policyMembers.ts';
import { protectionOf } from './protectedEntries.ts';
import type { Repair } from './repair.ts';
import type { RepairKind } from './repairKinds.ts';

const ENTRY = ['container', 'protection'] as const;
const CONTROLLERS = ['controllers'] as const;
const LOGONS = ['sessions', 'accounts', 'unit', 'tier-zero-hosts'] as const;

/** Facts that each kind of change needs in addition to its ends, relationships and values. */
export const NEEDED_FACTS: Readonly<Record<RepairKind, readonly KitFactName[]>> = {
  'template-subject': [],
  'template-approval': [],
  'template-security-extension': [],
  'authority-san-flag': ['host'],
  'authority-web-enrollment': ['host'],
  'authority-rpc-encryption': ['host'],
  'authority-extensions': ['host'],
  'controllers-certificate-binding': CONTROLLERS,
  'controllers-certificate-mapping': CONTROLLERS,
  'controllers-ldap-signing': CONTROLLERS,
  'controllers-channel-binding': CONTROLLERS,
  'controllers-netlogon-exceptions': CONTROLLERS,
  'computer-smb-signing': ['unit'],
  'domain-smb-signing': [],
  'domain-computer-quota': [],
  'remove-permission': ENTRY,
  'change-owner': ['new-owner'],
  'remove-enrollment': ENTRY,
  'unpublish-template': ['host'],
  'remove-member': ['cloud-group'],
  'remove-local-member': ['host', 'group', 'policy'],
  'remove-policy-member': ['policy', 'policies'],
  'remove-logon-right': ['host', 'policies'],
  'keep-off': LOGONS,
  'separate-logons': [...LOGONS, 'denied-services'],
  'unlink-policy': ['policy-name'],
  'move-object': ['target'],
  'remove-delegation': [],
  'clear-sid-history': [],
  'filter-trust': ['trust'],
  'protect-host': ['host'],
  'remove-role': ['assignment'],
  unsynchronize: [],
  'remove-relation': ['cloud-group', 'assignment-scopes'],
};

/** Properties of objects of Entra ID that changes and detection rules need in addition to those of rules. */
export const KIT_READS: Reads = {
  nodeProperties: [
    ...['enabled', 'gmsa', 'msa', 'hasspn'],
    'applicationobjectid',
    'isassignabletorole',
    'membershiprule',
    'onpremid',
    SYNCHRONIZED,
  ],
};

export interface KitWorld {
  readonly context: AnalysisContext;
  /** Members of Tier Zero; missing if the zone was not computed. */
  readonly tierZero: NodeSet | undefined;
}

/** @returns the facts of one change; each fact that its kind needs is present or listed as missing */
export function kitFacts(world: KitWorld, repair: Repair): KitFacts {
  const { context } = world;
  const { id, kind, object, principal, edgeKinds, change } = repair;
  const reader = new Reader(world, repair);
  const facts = Object.fromEntries(NEEDED_FACTS[kind].map((name) => [name, reader.fact(name)]));
  return {
    ...{ id, kind, object: kitObject(context, object), relations: [...edgeKinds] },
    ...(principal !== undefined && { principal: kitObject(context, principal) }),
    removed: change.removed.map((edge) => kitRelation(context, edge)),
    values: change.properties.map(({ node, key, value }) => ({
      ...{ object: kitObject(context, node), property: key, wanted: value },
      now: context.properties.value(key, node) ?? null,
    })),
    facts,
  };
}

/** @returns the relationship with the ids of its ends */
export function kitRelation(context: AnalysisContext, edge: EdgeRef): KitRelation {
  const { graph } = context;
  return {
    source: kitObject(context, edge.start),
    relation: (edgeNameOf(graph, edge.kind) ?? String(edge.kind)) as KitRelation['relation'],
    target: kitObject(context, edge.end),
    isInherited: isInherited(graph, edge),
  };
}

const SID = /S-1-\d+(?:-\d+)+$/;
const GUID = /^\{?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\}?(?:@.*)?$/i;
const BASES = new Set(['Base', 'AZBase']);

/** @returns the object with its ids */
export function kitObject(context: AnalysisContext, node: number): KitObject {
  const { graph, properties } = context;
  const objectId = objectIdOf(graph, node);
  const known = context.use(domains);
  const domain = known.nodes.has(node) ? node : known.of(node);
  const kinds = kindsOf(graph, node).flatMap((kind) => nodeKindById(kind)?.name ?? []);
  const kind = kinds.find((name) => !BASES.has(name)) ?? '';
  const tenant = kind === 'AZTenant' ? objectId : properties.text('tenantid', node);
  const application = kind === 'AZApp' ? (properties.text('applicationobjectid', node) ?? '') : '';
  const ofApplication = GUID.exec(application)?.[1]?.toLowerCase();
  return {
    ...{ objectId, kind, name: distinctName(context, node) || objectId },
    // The id of a local group has its computer or domain instead of the authority.
    sid: kind === 'ADLocalGroup' ? null : (SID.exec(objectId)?.[0] ?? null),
    guid: GUID.exec(objectId)?.[1].toLowerCase() ?? null,
    distinguishedName: properties.text('distinguishedname', node) || null,
    domain: domain === NO_NODE ? null : { sid: known.sidOf(domain), name: nameOf(graph, domain) },
    tenant: tenant === undefined || tenant === '' ? null : tenant.toLowerCase(),
    ...(ofApplication !== undefined && { applicationObjectId: ofApplication }),
  };
}

type FactOf = { readonly [Name in KitFactName]: (reader: Reader) => Known<KitFactValues[Name]> };

const some = (objects: readonly KitObject[], missing: string): Known<readonly KitObject[]> =>
  objects.length === 0 ? { missing } : { value: objects };

/** Kinds of objects in the configuration partition, which Enterprise Admins own. */
const OF_CONFIGURATION = new Set([
  'CertTemplate',
  'EnterpriseCA',
  'RootCA',
  'AIACA',
  'NTAuthStore',
  'IssuancePolicy',
]);

const FACTS: FactOf = {
  host: (reader) => reader.host(),
  controllers: (reader) => some(reader.controllers(), 'No domain controller of the domain was collected.'),
  container: (reader) => reader.container(),
  protection: ({ context, repair }) => ({ value: protectionOf(context, repair.change.removed) ?? null }),
  'new-owner': (reader) => reader.newOwner(),
  target: () => ({
    missing: 'You have to choose the new container of the object; collections do not contain it.',
  }),
  sessions: (reader) => ({
    value: reader
      .sessions()
      .map(({ start, end }) => ({ computer: reader.of(start), account: reader.of(end) })),
  }),
  accounts: (reader) => ({
    value: [...new Set(reader.sessions().map(({ end }) => end))].map((node) => reader.of(node)),
  }),
  'denied-services': (reader) => ({
    value: deniedServices(reader.context, reader.repair).map(({ account, group }) => ({
      ...{ account: reader.of(account), group: group === undefined ? null : reader.of(group) },
    })),
  }),
  'tier-zero-hosts': (reader) => reader.tierZeroHosts(),
  unit: (reader) => reader.unit(),
  policy: (reader) => reader.policy(),
  'policy-name': (reader) => reader.policyName(),
  policies: () => ({
    missing:
      'Collectors report the results of policies, but not which policy causes them: use Get-GPOReport -ReportType Xml.',
  }),
  group: (reader) => reader.group(),
  assignment: ({ repair }) => ({
    value: repair.edgeKinds.every((name) => name === 'AZRoleEligible') ? 'eligible' : 'active',
  }),
  'cloud-group': (reader) => ({ value: reader.cloudGroup() }),
  'assignment-scopes': ({ context, repair }) => ({ value: scopesOf(context, repair.change.removed) }),
  trust: () => ({
    missing: 'Collectors report trusts without the GUID of their object: use the name of the trusted domain.',
  }),
};

/** Lowest relative id of accounts and groups that are not built in. */
const FIRST_OWN_ID = 1000;

/** Looks up facts around one repair. */
class Reader {
  readonly context: AnalysisContext;
  readonly repair: Repair;
  readonly #tierZero: NodeSet | undefined;

  constructor({ context, tierZero }: KitWorld, repair: Repair) {
    this.context = context;
    this.repair = repair;
    this.#tierZero = tierZero;
  }

  fact<Name extends KitFactName>(name: Name): Known<KitFactValues[Name]> {
    return FACTS[name](this);
  }

  of(node: number): KitObject {
    return kitObject(this.context, node);
  }

  host(): Known<KitObject> {
    const node = this.#hostNode();
    return node === undefined
      ? { missing: 'The collection does not show on which computer it is.' }
      : { value: this.of(node) };
  }

  #hostNode(): number | undefined {
    const { context, repair } = this;
    const around = [repair.object, ...(repair.principal === undefined ? [] : [repair.principal])];
    for (const node of around) {
      const [host] = context.edges('HostsCAService').startsOf(node);
      if (host !== undefined) return host;
      const [computer] = context.edges('LocalToComputer').endsOf(node);
      if (computer !== undefined) return computer;
    }
    return around.find((node) => context.nodesOf('Computer').has(node));
  }

  controllers(): KitObject[] {
    const { context, repair } = this;
    const known = context.use(domains);
    const isForest =
      repair.kind === 'controllers-certificate-binding' || repair.kind === 'controllers-certificate-mapping';
    const covered = isForest ? [...known.forestOf(repair.object)] : [repair.object];
    const nodes = new Set(covered.flatMap((domain) => [...context.edges('DCFor').startsOf(domain)]));
    return [...nodes].sort((a, b) => a - b).map((node) => this.of(node));
  }

  container(): Known<KitObject | null> {
    const { graph } = this.context;
    const inherited = this.repair.change.removed.filter((edge) => isInherited(graph, edge));
    if (inherited.length === 0) return { value: null };
    const sources = new Set(inherited.map((edge) => inheritanceSource(graph, edge)));
    const [source] = sources;
    if (sources.size > 1 || source === undefined)
      return {
        missing: 'The entry is inherited, and no collected container has it: check each parent container.',
      };
    return { value: this.of(source) };
  }

  newOwner(): Known<string> {
    const { context, repair } = this;
    const known = context.use(domains);
    const { kind, domain } = this.of(repair.object);
    if (domain === null) return { missing: 'The domain of the object was not collected.' };
    if (!OF_CONFIGURATION.has(kind)) return { value: `${domain.sid}-512` };
    // The root domain of a forest is the one with Enterprise Admins.
    const forest = [...known.forestOf(known.bySid(domain.sid))].map((node) => known.sidOf(node));
    const root = context
      .nodesOf('Group')
      .filter((node) => forest.some((sid) => objectIdOf(context.graph, node) === `${sid}-519`));
    const [group] = root;
    return group === undefined
      ? { missing: 'Enterprise Admins of the forest was not collected, so its root domain is unknown.' }
      : { value: objectIdOf(context.graph, group) };
  }

  sessions(): EdgeRef[] {
    return this.repair.change.removed.filter(({ kind }) => kind === EdgeKind.HasSession);
  }

  unit(): Known<KitObject> {
    const { context, repair } = this;
    if (context.use(domains).nodes.has(repair.object)) return { value: this.of(repair.object) };
    const [above] = context.edges('Contains').startsOf(repair.object);
    return above === undefined
      ? { missing: 'The organizational unit of the computer was not collected.' }
      : { value: this.of(above) };
  }

  /**
   * Includes hosts of the whole domain, because administrators choose the unit to which the policy is linked, and the script
   * checks which hosts are below it.
   */
  tierZeroHosts(): Known<readonly KitObject[]> {
    const { context, repair } = this;
    if (this.#tierZero === undefined) return { missing: 'Tier Zero was not computed.' };
    const known = context.use(domains);
    const domain = known.nodes.has(repair.object) ? repair.object : known.of(repair.object);
    if (domain === NO_NODE) return { missing: 'The domain of the computer was not collected.' };
    const hosts = this.#tierZero.and(context.nodesOf('Computer')).filter((node) => known.of(node) === domain);
    return { value: [...hosts].map((node) => this.of(node)) };
  }

  cloudGroup(): KitFactValues['cloud-group'] {
    const { object } = this.repair;
    const { properties } = this.context;
    if (!this.context.nodesOf('AZGroup').has(object)) return null;
    const sid = properties.text('onpremid', object) ?? '';
    return {
      isRoleAssignable: properties.flag('isassignabletorole', object) ?? null,
      isSynchronized: properties.flag(SYNCHRONIZED, object) === true,
      onPremisesSid: SID.test(sid) ? sid : null,
      hasRule: (properties.text('membershiprule', object) ?? '') !== '',
    };
  }

  policyName(): Known<string> {
    const { context, repair } = this;
    const name = context.properties.text('distinguishedname', repair.object) ?? '';
    return name === ''
      ? { missing: 'The distinguished name of the policy was not collected.' }
      : { value: name.toLowerCase() };
  }

  policy(): Known<KitFactValues['policy']> {
    const { context, repair } = this;
    const [edge] = repair.change.removed;
    if (edge === undefined) return { value: null };
    const cause = context.use(policyMembers).of(edge.start, edge.end);
    if (cause === undefined) return { value: null };
    const { units, relativeId, edges } = cause;
    return { value: { units: units.map((node) => this.of(node)), relativeId, hosts: edges.length } };
  }

  /**
   * The SID of a group of the host: collectors prefix the relative id with the id of the computer. Relative ids of built-in groups are
   * below 1000.
   */
  group(): Known<string> {
    const { context, repair } = this;
    const relativeId = /-(\d+)$/.exec(objectIdOf(context.graph, repair.object))?.[1];
    if (relativeId === undefined) return { missing: 'The ID of the group has no relative ID.' };
    return Number(relativeId) < FIRST_OWN_ID
      ? { value: `S-1-5-32-${relativeId}` }
      : { missing: 'The group is a local group of the host, and its SID was not collected.' };
  }
}
