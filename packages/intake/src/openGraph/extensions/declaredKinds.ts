/** Kinds of installed definitions, keyed by their numbers in graphs. */
import {
  type DeclaredDerivation,
  type DeclaredEnvironment,
  type DeclaredFinding,
  type DeclaredKinds,
  type DeclaredRepair,
  type DeclaredStep,
  type IdentityEnd,
  type IdentityMatcher,
  NOTHING_DECLARED,
} from '@clew/graph';
import { CUSTOM_KIND_EFFORT, edgeKindByName, kindTitle, nodeKindByName } from '@clew/model';
import type {
  Statements,
  StoredDefinition,
  StoredDerivedRelationship,
  StoredIdentity,
  StoredIdentityEnd,
} from '@clew/store';
import { type KindNumbers, readDeclaredChecks } from './declaredChecks.ts';
import { typesOf } from './installedExtensions.ts';

/** @param client connection in the snapshot from which the graph is loaded */
export async function readDeclaredKinds(client: Statements, numbers: KindNumbers): Promise<DeclaredKinds> {
  const { rows } = await client.query<{ definition: StoredDefinition }>(
    'select definition from extension order by id',
  );
  const checks = await readDeclaredChecks(client, numbers);
  if (rows.length + checks.length === 0) return NOTHING_DECLARED;
  const definitions = rows.map(({ definition }) => definition);
  const steps = definitions.flatMap((definition) => stepsOf(definition, numbers));
  const environments = definitions.flatMap((definition) => environmentsOf(definition, numbers));
  const findings = definitions.flatMap((definition) => findingsOf(definition, numbers));
  const generic = definitions.flatMap((definition) => genericFindings(definition, numbers));
  return {
    steps: steps.sort((a, b) => a.kind - b.kind),
    environments,
    findings: [...findings, ...generic],
    checks,
    repairs: definitions.flatMap((definition) => repairsOf(definition, numbers)),
    derivations: definitions.flatMap((definition) => derivationsOf(definition, numbers)),
  };
}

function stepsOf({ schema, relationship_kinds }: StoredDefinition, { edges }: KindNumbers): DeclaredStep[] {
  return relationship_kinds.flatMap(({ name, is_traversable, effort, effort_reason, phrase, removal }) => {
    const kind = edges.get(name);
    if (!is_traversable || kind === undefined) return [];
    return [
      {
        ...{ kind, name, family: schema.namespace.toUpperCase() },
        ...(phrase !== undefined && { phrase }),
        ...(removal !== undefined && { removal }),
        effort: effort ?? CUSTOM_KIND_EFFORT.effort,
        reason:
          effort_reason ??
          (effort === undefined
            ? CUSTOM_KIND_EFFORT.reason
            : `As specified in the definition of ${schema.display_name}`),
      },
    ];
  });
}

function environmentsOf(
  { schema, environments }: StoredDefinition,
  { nodes }: KindNumbers,
): DeclaredEnvironment[] {
  return environments.flatMap(({ environment_kind, principal_kinds }) => {
    const kind = nodes.get(environment_kind);
    if (kind === undefined) return [];
    const principals = principal_kinds.map((name) => nodes.get(name)).filter((one) => one !== undefined);
    return [{ kind, name: environment_kind, principals, family: schema.namespace.toUpperCase() }];
  });
}

/** A definition without a title is stored with its name as the title. */
const titleOf = (name: string, title: string, { namespace }: StoredDefinition['schema']): string =>
  title === name ? kindTitle(name, namespace) : title;

/** Findings that refer to kinds of a removed extension have no results. */
function findingsOf(
  { schema, relationship_findings }: StoredDefinition,
  { nodes, edges }: KindNumbers,
): DeclaredFinding[] {
  return relationship_findings.flatMap(
    ({ name, display_name, environment_kind, relationship_kind, remediation }) => {
      const kind = edges.get(relationship_kind) ?? edgeKindByName(relationship_kind)?.id;
      const environment = nodes.get(environment_kind) ?? nodeKindByName(environment_kind)?.id;
      if (kind === undefined || environment === undefined) return [];
      return [
        {
          ...{ id: name, title: titleOf(name, display_name, schema), kind },
          ...{ kindName: relationship_kind, environment },
          meaning: '',
          shortDescription: remediation.short_description,
          longDescription: remediation.long_description,
          shortRemediation: remediation.short_remediation,
          longRemediation: remediation.long_remediation,
          extension: schema.display_name,
        },
      ];
    },
  );
}

/** Adds generic findings, so that every relationship that leads into a zone is reported. */
function genericFindings(
  { schema, relationship_kinds }: StoredDefinition,
  { edges }: KindNumbers,
): DeclaredFinding[] {
  return relationship_kinds.flatMap(({ name, display_name, is_traversable, description }) => {
    const kind = edges.get(name);
    if (!is_traversable || kind === undefined) return [];
    return [
      {
        ...{ id: name, title: `${titleOf(name, display_name, schema)} into Tier Zero`, kind, kindName: name },
        ...{ shortDescription: '', longDescription: '', shortRemediation: '', longRemediation: '' },
        meaning: description,
        extension: schema.display_name,
      },
    ];
  });
}

function derivationsOf(
  { derived_relationships = [], identities = [] }: StoredDefinition,
  { edges }: KindNumbers,
): DeclaredDerivation[] {
  const numbered = <One extends Omit<DeclaredDerivation, 'kind'>>(one: One): DeclaredDerivation[] => {
    const kind = edges.get(one.kindName);
    return kind === undefined ? [] : [{ ...one, kind }];
  };
  return [
    ...derived_relationships.flatMap(({ kind, pattern, start, end, reason }) =>
      numbered({
        ...{ kindName: kind, reason, reads: readBy({ kind, pattern, start, end, reason }, edges) },
        by: { type: 'pattern', pattern, start, end },
      }),
    ),
    ...identities.flatMap(({ kind, matcher, start, end, both_directions }) =>
      numbered({
        ...{ kindName: kind, reason: REASONS[matcher], reads: [] },
        by: {
          ...{ type: 'identity', matcher, start: identityEnd(start), end: identityEnd(end) },
          isMutual: both_directions,
        },
      }),
    ),
  ];
}

function readBy(
  derived: StoredDerivedRelationship,
  edges: KindNumbers['edges'],
): DeclaredDerivation['reads'] {
  return [...typesOf(derived)].flatMap((name) => {
    const kind = edges.get(name);
    return kind === undefined ? [] : [{ kind, name }];
  });
}

/** Texts before the value that both ends have. */
const REASONS: Readonly<Record<IdentityMatcher, string>> = {
  upn: 'Both have the same user principal name',
  email: 'Both have the same email address',
  sid: 'Both have the SID',
  immutable_id: 'Both have the same immutable ID',
  account_name: 'Both have the same account name',
};

/** @returns the derivation in the form of a definition */
export function storedDerivation({
  kindName: kind,
  reason,
  by,
}: DeclaredDerivation): StoredDerivedRelationship | StoredIdentity {
  if (by.type === 'pattern') return { kind, pattern: by.pattern, start: by.start, end: by.end, reason };
  const endOf = ({ domain, ...end }: IdentityEnd): StoredIdentityEnd => ({
    ...end,
    ...(domain !== undefined && { domain_property: domain }),
  });
  const [start, end] = [endOf(by.start), endOf(by.end)];
  return { kind, matcher: by.matcher, start, end, both_directions: by.isMutual };
}

const identityEnd = ({ kind, property, domain_property }: StoredIdentityEnd): IdentityEnd => ({
  ...{ kind, property },
  ...(domain_property !== undefined && { domain: domain_property }),
});

function repairsOf({ repairs = [] }: StoredDefinition, { edges }: KindNumbers): DeclaredRepair[] {
  return repairs.flatMap(({ relationship_kind, object, ...repair }) => {
    const kind = edges.get(relationship_kind);
    return kind === undefined ? [] : [{ ...repair, kind, isAtStart: object === 'source' }];
  });
}
