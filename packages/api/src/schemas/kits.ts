/** Change kits: scripts and steps of changes (docs/kits.md). */
import Type, { type Static } from 'typebox';
import { nullable } from './common.ts';
import { RepairReference } from './plan.ts';

/** More changes do not fit into a maintenance window. */
export const MAX_KIT_CHANGES = 100;

export const ChangeKitRequest = Type.Object({
  repairs: Type.Array(RepairReference, {
    ...{ minItems: 1, maxItems: MAX_KIT_CHANGES },
    description: 'Changes as cards, findings and paths name them, in the order to make them',
  }),
});
export type ChangeKitRequest = Static<typeof ChangeKitRequest>;

const KitRule = Type.Object({
  title: Type.String(),
  sigma: Type.String({ description: 'A Sigma rule as YAML with the ids of the objects filled in' }),
  kql: nullable(
    Type.String({
      description: 'A query that Clew provides for fields that the public converter does not support',
    }),
  ),
  needs: Type.String({ description: 'The auditing that must be turned on' }),
});

const Unwatched = Type.Array(Type.String(), {
  description: 'Uses of relationships that no rule detects, with the reason',
});

export const ChangeKitRecord = Type.Object({
  generation: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Name of its files without the extension' }),
      title: Type.String(),
      script: nullable(
        Type.String({
          description:
            'One PowerShell file with its engine inside; null for a change that people make by hand',
        }),
      ),
      why: nullable(Type.String({ description: 'Why there is no script' })),
      steps: Type.Array(Type.String(), {
        description:
          'To make the change by hand; with a script, the text of the change and the steps that the script does not make',
      }),
      rules: Type.Array(KitRule, {
        description: 'Detection rules for the steps that the change removes, to be used until it is made',
      }),
      unwatched: Unwatched,
      before: nullable(
        Type.Object({
          record: Type.String({ description: 'How to turn on recording' }),
          events: Type.String(),
          days: Type.Integer(),
          empty: Type.String({ description: 'The result that allows the change' }),
        }),
        'What to record before the change, where old clients may not know the setting',
      ),
      asks: nullable(
        Type.String({
          description:
            'Values that the administrator supplies when applying the change, such as a target container',
        }),
      ),
    }),
  ),
  files: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }), {
    description: 'README.md, changes.json, scripts, rules, engines, SHA256SUMS',
  }),
  archive: Type.String({ description: 'The files as a zip archive, in base64: the same bytes each time' }),
  note: Type.Optional(
    Type.String({
      description: 'For a finding that no single change closes: whether all changes of the kit close it',
    }),
  ),
});
export type ChangeKitRecord = Static<typeof ChangeKitRecord>;

export const DetectionRulesRecord = Type.Object({
  generation: Type.Integer(),
  steps: Type.Array(
    Type.Object({
      kinds: Type.Array(Type.String(), { description: 'Kinds of its relationships' }),
      rules: Type.Array(KitRule),
      unwatched: Unwatched,
    }),
    { description: 'As requested, each step once' },
  ),
  files: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }), {
    description: 'README.md, rules, SHA256SUMS',
  }),
  archive: Type.String({ description: 'The files as a zip archive, in base64: the same bytes each time' }),
});
export type DetectionRulesRecord = Static<typeof DetectionRulesRecord>;
