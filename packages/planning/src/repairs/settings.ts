/** The properties that a change of a setting writes, in the form that collectors would report them. */
import { type AnalysisContext, domains, Oid, type SettingName } from '@clew/analysis';
import type { JsonValue, NodeSet } from '@clew/graph';
import type { RepairedProperty } from '@clew/model';

export interface PropertyChange {
  readonly node: number;
  readonly key: string;
  readonly value: JsonValue;
}

/** A change that a repair makes, and that pages show. */
export interface RepairedValue extends PropertyChange {
  readonly key: RepairedProperty;
}

type Write = (context: AnalysisContext, node: number) => readonly RepairedValue[];

const at =
  (key: RepairedProperty, value: JsonValue): Write =>
  (_, node) => [{ node, key, value }];

/** Writes to every controller of the domain's forest that has a different value. */
const onForestControllers =
  (key: RepairedProperty, changed: (now: number) => number): Write =>
  (context, domain) =>
    controllersOf(context, [...context.use(domains).forestOf(domain)]).flatMap((node) => {
      const now = context.properties.number(key, node);
      const value = now === undefined ? undefined : changed(now);
      return value === undefined || value === now ? [] : [{ node, key, value }];
    });

const onControllers =
  (key: RepairedProperty): Write =>
  (context, domain) => {
    const weak = context.properties.nodesWhere('isdc', true).and(context.properties.nodesWhere(key, false));
    return ofDomain(context, domain, weak).map((node) => ({ node, key, value: true }));
  };

/** Clears a string on every controller of the domain that has a value. */
const emptiedOnControllers =
  (key: RepairedProperty): Write =>
  (context, domain) =>
    controllersOf(context, [domain])
      .filter((node) => (context.properties.text(key, node) ?? '') !== '')
      .map((node) => ({ node, key, value: '' }));

/** @returns an empty list if the node is not a domain */
function ofDomain(context: AnalysisContext, domain: number, nodes: NodeSet): number[] {
  const known = context.use(domains);
  if (!known.nodes.has(domain)) return [];
  const sid = known.sidOf(domain);
  return [...nodes].filter((node) => context.properties.text('domainsid', node) === sid);
}

function controllersOf(context: AnalysisContext, all: readonly number[]): number[] {
  return [...new Set(all.flatMap((domain) => [...context.edges('DCFor').startsOf(domain)]))].sort(
    (a, b) => a - b,
  );
}

/** Bit of CertificateMappingMethods: the UPN in a certificate. */
const UPN_MAPPING = 0x4;
const STRONG_BINDING = 2;

const WRITES: Readonly<Record<SettingName, Write>> = {
  'template-subject': at('enrolleesuppliessubject', false),
  'template-approval': at('requiresmanagerapproval', true),
  'template-security-extension': at('nosecurityextension', false),
  'authority-san-flag': at('isuserspecifiessanenabled', false),
  'authority-web-enrollment': at('hasvulnerableendpoint', false),
  'authority-rpc-encryption': at('rpcencryptionenforced', true),
  'authority-extensions': (context, node) => [
    {
      ...{ node, key: 'disabledextensions' },
      value: context.properties
        .texts('disabledextensions', node)
        .filter((extension) => extension !== Oid.securityExtension),
    },
  ],
  'controllers-certificate-binding': onForestControllers(
    'strongcertificatebindingenforcementraw',
    () => STRONG_BINDING,
  ),
  'controllers-certificate-mapping': onForestControllers('certificatemappingmethodsraw', (methods) =>
    methods === -1 ? methods : methods & ~UPN_MAPPING,
  ),
  'controllers-ldap-signing': onControllers('ldapsigning'),
  'controllers-channel-binding': onControllers('ldapsepa'),
  'controllers-netlogon-exceptions': emptiedOnControllers('vulnerablenetlogonsecuritydescriptor'),
  'computer-smb-signing': at('smbsigning', true),
  'domain-smb-signing': (context, domain) =>
    ofDomain(context, domain, context.properties.nodesWhere('smbsigning', false)).map((node) => ({
      ...{ node, key: 'smbsigning', value: true },
    })),
  'domain-computer-quota': at('machineaccountquota', 0),
};

export const isSetting = (kind: string): kind is SettingName => Object.hasOwn(WRITES, kind);

export function settingChanges(
  context: AnalysisContext,
  setting: SettingName,
  node: number,
): readonly RepairedValue[] {
  return WRITES[setting](context, node);
}
