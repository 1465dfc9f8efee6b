/** Entra ID and Azure objects in answers. Rule: `docs/reference/azurehound.md#entity-lists`. */
import Type, { type Static } from 'typebox';
import { Count } from './common.ts';

const Properties = Type.Record(Type.String(), Type.Unknown());

const node = {
  kind: Type.String({ description: 'Display kind' }),
  kinds: Type.Array(Type.String()),
  props: Properties,
  properties: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The same as `props`: clients read either name',
  }),
  isTierZero: Type.Boolean(),
  isOwnedObject: Type.Boolean(),
};

/** An entry of a related list. */
export const AzureNode = Type.Object(node);
export type AzureNode = Static<typeof AzureNode>;

/** The object itself, with the counts of its lists: numbers, or numbers by name (`descendents`, `Readers`). */
export const AzureEntity = Type.Object(node, {
  additionalProperties: Type.Union([Count, Type.Record(Type.String(), Type.Unknown())]),
});
export type AzureEntity = AzureNode & Readonly<Record<string, unknown>>;
