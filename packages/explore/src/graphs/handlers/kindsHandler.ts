/** All kinds of nodes and relationships: built-in ones, those declared by extensions, and those in uploads. */

import type { DescribedNodeKind, DescribedRelationshipKind } from '@clew/api';
import type { Handlers } from '@clew/common';
import { builtInExtension } from '@clew/intake';
import {
  CUSTOM_KIND_EFFORT,
  EDGE_CATEGORIES,
  EDGE_DEFINITIONS,
  type EdgeText,
  edgeText,
  kindTitle,
  NODE_DEFINITIONS,
} from '@clew/model';
import type { StoredRelationshipKind } from '@clew/store';
import type { QueryServices } from '../queryServices.ts';
import { lookOf } from '../render/kindLooks.ts';

export function kindsHandlers(services: QueryServices): Handlers<'ListKinds'> {
  return {
    async ListKinds() {
      const node_kinds = await nodeKinds(services);
      const relationship_kinds = await relationshipKinds(services);
      return { status: 200, json: { data: { node_kinds, relationship_kinds } } };
    },
  };
}

const withoutPrefix = (icon: string): string => icon.replace(/^fa-/, '');

async function nodeKinds({ extensions, generations, looks }: QueryServices): Promise<DescribedNodeKind[]> {
  const { nodeKinds: declared } = await extensions.read();
  const appearanceOf = await looks.read();
  const builtIn = NODE_DEFINITIONS.map(([name, { id, platform, label, meaning, appearance }]) => ({
    ...{ id, name, label, meaning },
    ...{ icon: withoutPrefix(appearance.icon), color: appearance.color },
    ...{ is_builtin: true, schema_name: builtInExtension(platform).name },
  }));
  const ofExtensions = [...declared.values()].map(({ kind, number, extension }) => {
    const { icon, color } = lookOf(kind);
    return {
      ...{ id: number, name: kind.name, label: kind.display_name, meaning: kind.description },
      ...{ icon: withoutPrefix(icon), color, is_builtin: false, schema_name: extension.name },
    };
  });
  const ofUploads = [...generations.current().customNodeKinds]
    .filter(([, name]) => !declared.has(name))
    .map(([id, name]) => {
      const { icon, color } = appearanceOf(name);
      return {
        ...{ id, name, label: kindTitle(name), meaning: '' },
        ...{ icon: withoutPrefix(icon), color, is_builtin: false, schema_name: '' },
      };
    });
  return [...builtIn, ...ofExtensions, ...ofUploads];
}

async function relationshipKinds({
  extensions,
  generations,
}: QueryServices): Promise<DescribedRelationshipKind[]> {
  const { relationshipKinds: declared } = await extensions.read();
  const builtIn = EDGE_DEFINITIONS.map(([name, { id, platform, origin, effort, ...text }]) => ({
    ...{ id, name, ...textMembers(text), origin },
    ...stepMembers(effort),
    ...{ is_builtin: true, schema_name: builtInExtension(platform).name },
  }));
  const ofExtensions = [...declared.values()].map(({ kind, number, extension }) => {
    const { is_traversable, effort, effort_reason } = kind;
    const step = {
      effort: effort ?? CUSTOM_KIND_EFFORT.effort,
      reason: effort_reason ?? (effort === undefined ? CUSTOM_KIND_EFFORT.reason : ''),
    };
    return {
      ...{
        id: number,
        name: kind.name,
        ...textMembers(declaredText(kind, extension.namespace)),
        origin: 'both' as const,
      },
      ...stepMembers(is_traversable ? step : undefined),
      ...{ is_builtin: false, schema_name: extension.name },
    };
  });
  const ofUploads = [...generations.current().customEdgeKinds]
    .filter(([, name]) => !declared.has(name))
    .map(([id, name]) => ({
      ...{ id, name, ...textMembers({ ...edgeText(name), meaning: '' }), origin: 'collected' as const },
      // Without a definition, they do not pass on control.
      ...stepMembers(undefined),
      ...{ is_builtin: false, schema_name: '' },
    }));
  return [...builtIn, ...ofExtensions, ...ofUploads];
}

/** The texts of an extension's kind, in the form of a built-in kind. */
function declaredText(
  { name, phrase, description, removal }: StoredRelationshipKind,
  namespace: string,
): EdgeText {
  const otherwise = edgeText(name, namespace);
  return {
    category: 'other',
    phrase: phrase ?? otherwise.phrase,
    meaning: description,
    removal: removal ?? otherwise.removal,
  };
}

const textMembers = ({ category, phrase, meaning, removal }: EdgeText) => ({
  ...{ category: EDGE_CATEGORIES[category], phrase, meaning, removal },
});

const stepMembers = (step: { readonly effort: number; readonly reason: string } | undefined) => ({
  is_traversable: step !== undefined,
  effort: step?.effort ?? null,
  effort_reason: step?.reason ?? null,
});
