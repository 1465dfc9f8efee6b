/**
 * Reads the derivations of a definition: relationships from patterns, and relationships between nodes that are the
 * same person or machine. Every error is reported with its place.
 *
 * Rule: `docs/extensions.md#derived-relationships`, `docs/extensions.md#same-identity`.
 */
import { NODE_KINDS, nodeKindByName } from '@clew/model';
import type {
  StoredDerivedRelationship,
  StoredIdentity,
  StoredIdentityEnd,
  StoredRelationshipKind,
} from '@clew/store';
import { derivationLevels, type FamilyStep, type OrderedDerivation } from './derivationOrder.ts';
import { shown } from './faults.ts';
import type { InstalledKinds } from './installedKinds.ts';
import type { Members } from './members.ts';
import { notKnown } from './notKnown.ts';
import { meantProperty, noteText, type TextReading } from './textNotes.ts';

const MAX_DERIVED = 100;
/** Maximum length of patterns, which become part of a query. */
const MAX_PATTERN = 10_000;
const MAX_REASON = 2000;

/** Default property with the value, if the definition names none. */
const PROPERTIES: Readonly<Record<StoredIdentity['matcher'], string>> = {
  upn: 'userprincipalname',
  email: 'email',
  sid: 'objectid',
  immutable_id: 'immutableid',
  account_name: 'samaccountname',
};
/** Property of Active Directory accounts. */
const DOMAIN_PROPERTY = 'domain';

export interface DerivedMembers {
  readonly derived_relationships: readonly StoredDerivedRelationship[];
  readonly identities: readonly StoredIdentity[];
}

interface Own {
  readonly namespace: string;
  readonly nodeKinds: ReadonlySet<string>;
  readonly relationshipKinds: readonly StoredRelationshipKind[];
}

export function readDerivedMembers(
  root: Members,
  own: Own,
  installed: InstalledKinds,
  reading: TextReading,
): DerivedMembers {
  const made = new Map<string, string>();
  const names = own.relationshipKinds.map(({ name }) => name);
  const kindOf = (members: Members): string => {
    const kind = members.text('kind', { required: true });
    if (kind === '') return '';
    const before = made.get(kind);
    if (!names.includes(kind))
      members.fault('kind', notKnown('is not a relationship kind of this definition', kind, names));
    else if (before !== undefined)
      members.fault('kind', (placeOf) => `is also derived at ${placeOf(before)}: ${shown(kind)}`);
    made.set(kind, members.at('kind'));
    return kind;
  };
  const ordered: (OrderedDerivation & { readonly members: Members })[] = [];
  const derived_relationships = root.objects('derived_relationships', MAX_DERIVED).map((members) => {
    const kind = kindOf(members);
    const read = readPattern(members, kind, reading);
    if (read.types !== undefined && kind !== '') ordered.push({ kind, types: read.types, members });
    return read.stored;
  });
  addCircle(ordered, own, installed);
  const identities = root
    .objects('identities', MAX_DERIVED)
    .map((members) => readIdentity(members, kindOf(members), own, installed, reading));
  return { derived_relationships, identities };
}

function readPattern(
  members: Members,
  kind: string,
  { compiled, known }: TextReading,
): { readonly stored: StoredDerivedRelationship; readonly types?: ReadonlySet<string> } {
  const pattern = members.text('pattern', { required: true, max: MAX_PATTERN }).trim();
  const [start, end] = [members.text('start', { required: true }), members.text('end', { required: true })];
  const reason = members.text('reason', { required: true, max: MAX_REASON });
  const stored = { kind, pattern, start, end, reason };
  if (pattern === '' || start === '' || end === '') return { stored };
  const made = compiled({ text: pattern, ends: { start, end } });
  noteText({ members, member: 'pattern', text: pattern, use: 'pattern' }, made, known);
  const { types } = made;
  return types === undefined ? { stored } : { stored, types };
}

/** Reports a cycle among the installed derivations and the derivations of the definition. */
function addCircle(
  ordered: readonly (OrderedDerivation & { readonly members: Members })[],
  { namespace, relationshipKinds }: Own,
  installed: InstalledKinds,
): void {
  const steps: FamilyStep[] = relationshipKinds
    .filter(({ is_traversable }) => is_traversable)
    .map(({ name }) => ({ name, family: namespace.toUpperCase() }));
  const found = derivationLevels<OrderedDerivation>(
    [...installed.derivations, ...ordered],
    [...installed.steps, ...steps],
  );
  if (!('circle' in found)) return;
  // Installed derivations alone have no cycle.
  const { members } = ordered.find(({ kind }) => found.circle.includes(kind)) as (typeof ordered)[number];
  members.fault('pattern', `depends on itself: ${[...found.circle, found.circle[0]].join(' reads ')}`);
}

function readIdentity(
  members: Members,
  kind: string,
  own: Own,
  installed: InstalledKinds,
  { known }: TextReading,
): StoredIdentity {
  const given = members.text('matcher', { required: true });
  const matchers = Object.keys(PROPERTIES) as StoredIdentity['matcher'][];
  const matcher = matchers.find((one) => one === given);
  if (given !== '' && matcher === undefined)
    members.fault('matcher', notKnown(`is not one of ${matchers.join(', ')}`, given, matchers));
  const endOf = (name: 'start' | 'end'): StoredIdentityEnd => {
    const end = members.object(name, true);
    if (end === undefined) return { kind: '', property: '' };
    const nodeKind = end.text('kind', { required: true });
    const isKnown =
      own.nodeKinds.has(nodeKind) ||
      nodeKindByName(nodeKind) !== undefined ||
      installed.nodeKinds.has(nodeKind);
    if (nodeKind !== '' && !isKnown)
      end.fault(
        'kind',
        notKnown(
          'is not a node kind of an installed extension',
          nodeKind,
          ...[own.nodeKinds, NODE_KINDS.map(({ name }) => name), installed.nodeKinds],
        ),
      );
    const property = end.text('property').toLowerCase();
    const domain = end.text('domain_property').toLowerCase();
    for (const [name, given] of [
      ['property', property],
      ['domain_property', domain],
    ] as const) {
      const meant = given === '' ? undefined : meantProperty(given, [nodeKind], known);
      if (meant !== undefined)
        end.warn(name, `is not a known property: did you mean ${meant}?: ${shown(given)}`);
    }
    if (domain !== '' && matcher !== 'account_name')
      end.fault('domain_property', 'is only for account names');
    const ofDirectory = matcher === 'account_name' && property === '' ? DOMAIN_PROPERTY : '';
    return {
      ...{ kind: nodeKind, property: property || (matcher === undefined ? '' : PROPERTIES[matcher]) },
      ...((domain || ofDirectory) && { domain_property: domain || ofDirectory }),
    };
  };
  const [start, end] = [endOf('start'), endOf('end')];
  return { kind, matcher: matcher ?? 'upn', start, end, both_directions: members.flag('both_directions') };
}
