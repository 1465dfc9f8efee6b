/**
 * Validates the definition of an extension, and reports all errors at once, each with its place. Members that
 * published definitions omit are optional. Unknown members and unambiguous variants are accepted, with a warning.
 *
 * Rules: `docs/extensions.md#the-definition`, `docs/extensions.md#accepted-variants`.
 */
import { EDGE_KINDS, EFFORT_CLASSES, edgeKindByName, nodeKindByName } from '@clew/model';
import type {
  StoredDefinition,
  StoredEnvironment,
  StoredNodeFinding,
  StoredNodeKind,
  StoredRelationshipFinding,
  StoredRelationshipKind,
  StoredRepair,
  StoredSections,
  StoredZoneRule,
} from '@clew/store';
import { addMarkdownFaults, readCheckMembers, type Texts } from './checkMembers.ts';
import { type Compiled, compiledQueries } from './compiledQueries.ts';
import { readDerivedMembers } from './derivedMembers.ts';
import { type FaultMessage, Faults, shown } from './faults.ts';
import { lookOf, withIcons } from './iconMembers.ts';
import { type InstalledKinds, zoneRuleKey } from './installedKinds.ts';
import { type KnownNames, knownNames } from './knownNames.ts';
import { isObject, Members } from './members.ts';
import { notKnown } from './notKnown.ts';
import { readSavedSearches } from './savedSearchMembers.ts';
import { type ExtensionTest, readTests } from './testMembers.ts';
import { noteText } from './textNotes.ts';
import { ReadObjects } from './unknownMembers.ts';

const MAX_KINDS = 1000;
const MAX_ENVIRONMENTS = 100;
const MAX_SECTIONS = 50;
const MAX_RULES = 100;
const MAX_CHECKS = 100;
/** Same limit as for configured repair costs. */
const MAX_COST = 1000;
const MAX_SENTENCE = 2000;
/** Same limit as for selectors. */
const MAX_QUERY_LENGTH = 2000;
const TIER_ZERO = 'Tier Zero';
const MAX_DESCRIPTION = 4096;
/** Large, because authors put their documentation there. */
const MAX_KIND_DESCRIPTION = 65_536;
const MAX_VERSION = 128;

const BUILT_IN_NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['ad', 'Active Directory'],
  ['az', 'Azure'],
  ['check', 'custom checks'],
]);
/** Lower-case prefix of the names of checks without an extension. */
const OF_CHECKS = 'check_';
/** Built-in environments. */
const BUILT_IN_ENVIRONMENTS: ReadonlySet<string> = new Set(['Domain', 'AZTenant']);
/** Kinds that identify the built-in sources. */
const BUILT_IN_SOURCES: ReadonlySet<string> = new Set(['Base', 'AZBase']);

const VERSION =
  /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const KIND = { pattern: /^[A-Za-z0-9_]+$/, means: 'letters, digits and underscores' };
const SECTION_KEY = /^[a-z0-9_-]{1,128}$/;
const EFFORTS: ReadonlySet<number> = new Set(EFFORT_CLASSES.map(({ effort }) => effort));

/** Warnings describe values that were interpreted differently than written. */
export type CheckedDefinition =
  | {
      readonly definition: StoredDefinition;
      readonly warnings: Pick<Faults, 'warnings'>;
      readonly tests: readonly ExtensionTest[];
    }
  | { readonly faults: Faults };

/**
 * @param document any JSON
 * @param installed names of other definitions, without an earlier version of the same extension
 * @param samples paths of the data files of a bundle
 */
export async function checkDefinition(
  document: unknown,
  installed: InstalledKinds,
  samples?: Iterable<string>,
): Promise<CheckedDefinition> {
  const faults = new Faults();
  if (!isObject(document)) {
    faults.add('', `is not an object: ${shown(document)}`);
    return { faults };
  }
  const objects = new ReadObjects();
  const root = new Members(document, '', faults, objects);
  const reader = new DefinitionReader(root, faults, installed, await compiledQueries(document));
  const definition = reader.read();
  const tests = readTests(root, definition, new Set(samples));
  objects.warnOfUnknown(faults);
  await addMarkdownFaults(reader.texts, faults);
  return faults.isEmpty ? { definition, warnings: faults, tests } : { faults };
}

class DefinitionReader {
  readonly #root: Members;
  readonly #faults: Faults;
  readonly #installed: InstalledKinds;
  readonly #compiled: Compiled;
  #namespace = '';
  /** Markdown texts, which are checked after everything else. */
  readonly texts: Texts = [];
  /** Names of kinds and findings, with their places. */
  readonly #names = new Map<string, string>();

  constructor(root: Members, faults: Faults, installed: InstalledKinds, compiled: Compiled) {
    this.#root = root;
    this.#faults = faults;
    this.#installed = installed;
    this.#compiled = compiled;
  }

  read(): StoredDefinition {
    const root = this.#root;
    const schema = this.#schema();
    const declared = root.objects('node_kinds', MAX_KINDS, true).map((kind) => this.#nodeKind(kind));
    const node_kinds = withIcons(root, declared, MAX_KINDS);
    const relationship_kinds = root
      .objects('relationship_kinds', MAX_KINDS)
      .map((kind) => this.#relationshipKind(kind));
    const own = new Set(node_kinds.map(({ name }) => name));
    const ownRelations = new Set(relationship_kinds.map(({ name }) => name));
    const environments = this.#environments(own);
    const environmentKinds = new Set(environments.map(({ environment_kind }) => environment_kind));
    const relationship_findings = root
      .objects('relationship_findings', MAX_KINDS)
      .map((finding) => this.#finding(finding, ownRelations, environmentKinds));
    const { names } = this.#installed;
    const sources = environments.map(({ source_kind }) => source_kind);
    const ownNames = {
      ...{ namespace: schema.namespace, nodeKinds: [...own, ...sources] },
      relationshipKinds: ownRelations,
    };
    const known = knownNames(names, ownNames);
    const privilege_zone_rules = this.#zoneRules(known);
    const node_findings = root.objects('node_findings', MAX_CHECKS).map((check) => this.#check(check, known));
    const derived = readDerivedMembers(
      root,
      { namespace: schema.namespace, nodeKinds: own, relationshipKinds: relationship_kinds },
      this.#installed,
      { compiled: this.#compiled, known },
    );
    return {
      ...{ schema, node_kinds, relationship_kinds, environments, relationship_findings },
      ...{ privilege_zone_rules, node_findings, repairs: this.#repairs(ownRelations), ...derived },
      saved_searches: readSavedSearches(root, { compiled: this.#compiled, known }),
    };
  }

  #schema(): StoredDefinition['schema'] {
    const schema = this.#root.object('schema', true);
    if (schema === undefined) return { name: '', display_name: '', version: '', namespace: '' };
    const name = schema.text('name', { required: true });
    const display_name = displayName(schema, name);
    const version = schema.text('version', { required: true, max: MAX_VERSION });
    if (version !== '' && !VERSION.test(version))
      schema.warn(
        'version',
        `is not "v" and a semantic version, such as v1.0.0; it is kept: ${shown(version)}`,
      );
    const given = schema.text('namespace', {
      ...{ required: true, max: 64, pattern: /^[A-Za-z0-9]+(_[A-Za-z0-9]+)*_?$/, means: KIND.means },
    });
    const namespace = given.replace(/_$/, '');
    if (namespace !== given)
      schema.warn(
        'namespace',
        `is interpreted without its underscore, as ${shown(namespace)}: ${shown(given)}`,
      );
    const lower = namespace.toLowerCase();
    const owner = BUILT_IN_NAMESPACES.get(lower) ?? this.#installed.namespaces.get(lower);
    if (lower.startsWith('tag'))
      schema.fault('namespace', 'begins with "tag", which is reserved for zones and labels');
    else if (lower.startsWith(OF_CHECKS))
      schema.fault('namespace', 'begins with "Check_", which is reserved for custom checks');
    else if (owner !== undefined)
      schema.fault(
        'namespace',
        `is already the namespace of the extension ${shown(owner)}: ${shown(namespace)}`,
      );
    this.#namespace = namespace;
    const keepsCase = schema.flag('case_sensitive_ids');
    return {
      name,
      display_name,
      version,
      namespace,
      ...(keepsCase && { case_sensitive_ids: true as const }),
    };
  }

  /** A name that begins with the namespace, unique among kinds and findings. */
  #name(members: Members): string {
    const name = members.text('name', { required: true, ...KIND });
    if (name === '') return '';
    const fault = (message: FaultMessage): void => members.fault('name', message);
    const prefix = `${this.#namespace}_`;
    if (/^tag/i.test(name)) fault('begins with "tag", which is reserved for zones and labels');
    else if (this.#namespace !== '' && (!name.startsWith(prefix) || name.length === prefix.length))
      fault(`does not begin with ${shown(prefix)} followed by a name: ${shown(name)}`);
    const known = this.#names.get(name);
    const owner = this.#installed.owners.get(name);
    if (known !== undefined) fault((placeOf) => `is also the name at ${placeOf(known)}: ${shown(name)}`);
    else this.#names.set(name, members.at('name'));
    if (nodeKindByName(name) !== undefined || edgeKindByName(name) !== undefined)
      fault(`is a built-in kind: ${shown(name)}`);
    else if (owner !== undefined) fault(`belongs to the extension ${shown(owner)}: ${shown(name)}`);
    return name;
  }

  #nodeKind(kind: Members): StoredNodeKind {
    const name = this.#name(kind);
    return {
      name,
      display_name: displayName(kind, name.slice(`${this.#namespace}_`.length)),
      description: kind.text('description', { max: MAX_KIND_DESCRIPTION }),
      is_display_kind: kind.flag('is_display_kind'),
      ...lookOf(kind),
      info: this.#sections(kind),
    };
  }

  #relationshipKind(kind: Members): StoredRelationshipKind {
    const name = this.#name(kind);
    const effort = kind.integer('effort', 0);
    if (effort !== undefined && !EFFORTS.has(effort))
      kind.fault('effort', `is not one of ${[...EFFORTS].join(', ')}: ${effort}`);
    const reason = kind.text('effort_reason');
    const phrase = kind.text('phrase');
    const removal = kind.text('removal', { max: MAX_DESCRIPTION });
    return {
      name,
      display_name: kind.text('display_name') || name,
      description: kind.text('description', { max: MAX_KIND_DESCRIPTION }),
      is_traversable: kind.flag('is_traversable'),
      ...(phrase !== '' && { phrase }),
      ...(removal !== '' && { removal }),
      ...(effort !== undefined && { effort }),
      ...(reason !== '' && { effort_reason: reason }),
      info: this.#sections(kind),
    };
  }

  #sections(kind: Members): StoredSections {
    const info = kind.object('info');
    if (info === undefined) return {};
    if (info.names.length > MAX_SECTIONS) kind.fault('info', `has more than ${MAX_SECTIONS} sections`);
    const sections: [string, StoredSections[string]][] = [];
    for (const key of info.names.slice(0, MAX_SECTIONS)) {
      if (!SECTION_KEY.test(key))
        info.fault(key, 'has a key other than 1 to 128 lowercase letters, digits, hyphens and underscores');
      const section = info.object(key, true);
      if (section === undefined) continue;
      const title = section.text('title', { required: true });
      const position = section.integer('position', 1, true) ?? 1;
      const markdown = section.object('markdown', true);
      const content = markdown === undefined ? '' : this.#markdown(markdown, 'content', true);
      sections.push([key, { title, position, markdown: { content } }]);
    }
    return Object.fromEntries(sections);
  }

  #markdown(members: Members, name: string, required = false): string {
    const text = members.text(name, { required, max: Number.POSITIVE_INFINITY });
    if (text !== '') this.texts.push({ pointer: members.at(name), text });
    return text;
  }

  #environments(own: ReadonlySet<string>): StoredEnvironment[] {
    const known = new Set<string>();
    return this.#root.objects('environments', MAX_ENVIRONMENTS).map((environment) => {
      const environment_kind = environment.text('environment_kind', { required: true });
      if (environment_kind !== '' && !own.has(environment_kind)) {
        const isBuiltIn = nodeKindByName(environment_kind) !== undefined;
        if (!isBuiltIn && !this.#installed.nodeKinds.has(environment_kind))
          environment.fault(
            'environment_kind',
            notKnown(
              'is not a node kind of an installed extension',
              environment_kind,
              own,
              this.#installed.nodeKinds,
            ),
          );
        else if (BUILT_IN_ENVIRONMENTS.has(environment_kind))
          environment.fault(
            'environment_kind',
            `is a built-in environment, whose principals are known: ${shown(environment_kind)}`,
          );
      }
      if (environment_kind !== '' && known.has(environment_kind))
        environment.fault('environment_kind', `is declared twice: ${shown(environment_kind)}`);
      known.add(environment_kind);
      const source_kind = environment.text('source_kind', { required: true, ...KIND });
      if (BUILT_IN_SOURCES.has(source_kind) || /^tag/i.test(source_kind))
        environment.fault('source_kind', `is reserved: ${shown(source_kind)}`);
      const principal_kinds = environment
        .texts('principal_kinds', MAX_KINDS, true)
        .flatMap(({ text, pointer }) => {
          if (own.has(text)) return [text];
          this.#faults.add(pointer, notKnown('is not a node kind of this definition', text, own));
          return [];
        });
      return { environment_kind, source_kind, principal_kinds };
    });
  }

  /** Zone rules, of which published extensions have one file each. */
  #zoneRules(names: KnownNames): StoredZoneRule[] {
    const known = new Set<string>();
    return this.#root.objects('privilege_zone_rules', MAX_RULES).map((rule) => {
      const name = rule.text('name', { required: true, max: 250 }).trim();
      const zone = rule.text('zone') || TIER_ZERO;
      const id = this.#installed.zones.get(zone.toLowerCase());
      if (id === undefined) rule.fault('zone', notKnown('is not a zone', zone, this.#installed.zones.keys()));
      else if (name !== '') {
        const key = zoneRuleKey(id, name);
        if (known.has(key)) rule.fault('name', `is the name of two selectors of the zone: ${shown(name)}`);
        if (this.#installed.zoneRules.has(key))
          rule.fault('name', `is the name of another selector of the zone: ${shown(name)}`);
        known.add(key);
      }
      const cypher = rule.text('cypher', { required: true, max: MAX_QUERY_LENGTH }).trim();
      const text = { members: rule, member: 'cypher', text: cypher, use: 'rule' } as const;
      if (cypher !== '') noteText(text, this.#compiled({ text: cypher }), names);
      return {
        ...{ name, zone, cypher },
        description: rule.text('description', { max: MAX_DESCRIPTION }),
        enabled: rule.flag('enabled', true),
        allow_disable: rule.flag('allow_disable', true),
      };
    });
  }

  /** Reads repairs of declared kinds; built-in kinds have built-in repairs. */
  #repairs(ownRelations: ReadonlySet<string>): StoredRepair[] {
    const known = new Set<string>();
    return this.#root.objects('repairs', MAX_KINDS).map((repair) => {
      const relationship_kind = repair.text('relationship_kind', { required: true });
      const fault = (message: string): void =>
        repair.fault('relationship_kind', `${message}: ${shown(relationship_kind)}`);
      if (relationship_kind !== '') {
        if (!ownRelations.has(relationship_kind))
          repair.fault(
            'relationship_kind',
            notKnown('is not a relationship kind of this definition', relationship_kind, ownRelations),
          );
        else if (known.has(relationship_kind)) fault('has two repairs');
        known.add(relationship_kind);
      }
      const object = repair.text('object') || 'target';
      if (object !== 'source' && object !== 'target')
        repair.fault('object', `is neither source nor target: ${shown(object)}`);
      const cost = repair.integer('cost', 1);
      if (cost !== undefined && cost > MAX_COST) repair.fault('cost', `is more than ${MAX_COST}: ${cost}`);
      const sentence = (name: string): string => repair.text(name, { max: MAX_SENTENCE });
      return {
        ...{ relationship_kind, object: object === 'source' ? 'source' : 'target' },
        ...(cost !== undefined && { cost }),
        ...{ title: repair.text('title'), change: sentence('change') },
        ...{ check: sentence('check'), risk: sentence('risk') },
      };
    });
  }

  #check(check: Members, known: KnownNames): StoredNodeFinding {
    const name = this.#name(check);
    return {
      name,
      enabled: check.flag('enabled', true),
      ...readCheckMembers(check, this.texts, { compiled: this.#compiled, known }),
    };
  }

  #finding(
    finding: Members,
    ownRelations: ReadonlySet<string>,
    ownEnvironments: ReadonlySet<string>,
  ): StoredRelationshipFinding {
    const name = this.#name(finding);
    const environment_kind = finding.text('environment_kind', { required: true });
    const { environmentKinds, relationshipKinds } = this.#installed;
    if (
      environment_kind !== '' &&
      !ownEnvironments.has(environment_kind) &&
      !BUILT_IN_ENVIRONMENTS.has(environment_kind) &&
      !environmentKinds.has(environment_kind)
    )
      finding.fault(
        'environment_kind',
        notKnown(
          'is not an environment of an installed extension',
          environment_kind,
          ...[ownEnvironments, BUILT_IN_ENVIRONMENTS, environmentKinds],
        ),
      );
    const relationship_kind = finding.text('relationship_kind', { required: true });
    if (
      relationship_kind !== '' &&
      !ownRelations.has(relationship_kind) &&
      edgeKindByName(relationship_kind) === undefined &&
      !relationshipKinds.has(relationship_kind)
    )
      finding.fault(
        'relationship_kind',
        notKnown(
          'is not a relationship kind of an installed extension',
          relationship_kind,
          ...[ownRelations, EDGE_KINDS.map((kind) => kind.name), relationshipKinds],
        ),
      );
    const remediation = finding.object('remediation');
    const text = (key: keyof StoredRelationshipFinding['remediation']): string =>
      remediation === undefined ? '' : this.#markdown(remediation, key);
    return {
      name,
      display_name: finding.text('display_name') || name,
      environment_kind,
      relationship_kind,
      remediation: {
        short_description: text('short_description'),
        long_description: text('long_description'),
        short_remediation: text('short_remediation'),
        long_remediation: text('long_remediation'),
      },
    };
  }
}

/** @param instead used if the display name is missing, empty or blank */
function displayName(members: Members, instead: string): string {
  const text = members.text('display_name');
  if (text.trim() !== '' || instead === '') return text;
  members.warn('display_name', `is missing, and interpreted as ${shown(instead)}`);
  return instead;
}
