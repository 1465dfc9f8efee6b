/** The state of Explore in its address. */
import type { Address } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory, edgeText, TRAVERSABLE_KINDS } from '../../edges/edgeKinds.ts';
import { type Typed, typedParameters } from './queryText.ts';

export type Mode = 'object' | 'path' | 'query';

export interface Expansion {
  readonly objectId: string;
  /** Section of the object, or `near` for its direct relationships. */
  readonly section: string;
  /** Display kind, which determines the sections. */
  readonly kind: string;
}

export interface ExploreState {
  readonly mode: Mode;
  /** Number of a saved drawing, which replaces the question. */
  readonly drawing: number | undefined;
  readonly object: string | undefined;
  /** Draws only the objects that were added. */
  readonly only: boolean;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** `all` shortest paths, or a number of alternatives. */
  readonly ways: 'all' | 'alternatives' | 'disjoint' | 'easiest';
  readonly without: ReadonlySet<EdgeCategory>;
  /** Objects that paths avoid. */
  readonly excluded: readonly string[];
  readonly query: string | undefined;
  /** Parameters of the query. */
  readonly parameters: Typed;
  readonly expansions: readonly Expansion[];
  readonly hidden: ReadonlySet<string>;
  readonly unfolded: ReadonlySet<string>;
  readonly selected: string | undefined;
  /** The user's choice; default: the view that suits the answer. */
  readonly show: 'graph' | 'table' | undefined;
  readonly layout: 'layers' | 'free' | undefined;
  /** Texts of relationships in the drawing. */
  readonly labels: Labels;
  /** Object id of the environment to which sets of objects are limited. */
  readonly environment: string | undefined;
  readonly zone: number;
}

export const LABELS = ['kinds', 'phrases', 'off'] as const;
export type Labels = (typeof LABELS)[number];

/** More excluded objects do not fit into an address. */
const MAX_EXCLUDED = 50;

export function stateOf(address: Address): ExploreState {
  const mode = address.get('mode');
  const ways = address.get('ways');
  const layout = address.get('layout');
  const show = address.get('show');
  return {
    mode: mode === 'path' || mode === 'query' ? mode : 'object',
    drawing: address.number('drawing', 0) || undefined,
    object: address.get('object'),
    only: address.get('only') !== undefined,
    from: address.get('from'),
    to: address.get('to'),
    ways: ways === 'alternatives' || ways === 'disjoint' || ways === 'easiest' ? ways : 'all',
    without: new Set(
      address.all('without').filter((name): name is EdgeCategory => Object.hasOwn(EDGE_CATEGORIES, name)),
    ),
    excluded: address.all('around').slice(0, MAX_EXCLUDED),
    query: address.get('q'),
    parameters: typedParameters(address.get('p')),
    expansions: address.all('with').flatMap((text) => expansionOf(text)),
    hidden: new Set(address.all('hide')),
    unfolded: new Set(address.all('unfold')),
    selected: address.get('selected'),
    show: show === 'graph' || show === 'table' ? show : undefined,
    layout: layout === 'layers' || layout === 'free' ? layout : undefined,
    labels: LABELS.find((one) => one === address.get('labels')) ?? 'kinds',
    environment: address.get('env'),
    zone: address.number('zone', 1) || 1,
  };
}

const SEPARATOR = '~';

export const expansionText = ({ kind, section, objectId }: Expansion): string =>
  [kind, section, objectId].join(SEPARATOR);

function expansionOf(text: string): Expansion[] {
  const [kind, section, ...rest] = text.split(SEPARATOR);
  const objectId = rest.join(SEPARATOR);
  return objectId === '' ? [] : [{ kind, section, objectId }];
}

/** Whether the filter leaves out relationships of a kind. */
export const isLeftOut = (kind: string, categories: ReadonlySet<EdgeCategory>): boolean =>
  categories.has(edgeText(kind).category);

/** Kinds that paths may use if some categories are excluded. */
export function kindsWithout(categories: ReadonlySet<EdgeCategory>): readonly string[] | undefined {
  if (categories.size === 0) return undefined;
  return [...TRAVERSABLE_KINDS].flatMap(([category, kinds]) => (categories.has(category) ? [] : kinds));
}

/**
 * Converts addresses of the same page of the public product, for example from tickets. @returns the equivalent parameters;
 * `undefined` for an address of this interface
 */
export function fromOlderAddress(
  parameters: URLSearchParams,
): Readonly<Record<string, string | undefined>> | undefined {
  const tab = parameters.get('exploreSearchTab') ?? parameters.get('searchType');
  const primary = parameters.get('primarySearch') ?? undefined;
  if (tab === null && primary === undefined && !parameters.has('cypherSearch')) return undefined;
  const old = Object.fromEntries([...parameters.keys()].map((name) => [name, undefined] as const));
  if (tab === 'pathfinding')
    return { ...old, mode: 'path', from: primary, to: parameters.get('secondarySearch') ?? undefined };
  if (tab === 'cypher' || parameters.has('cypherSearch'))
    return { ...old, mode: 'query', q: decoded(parameters.get('cypherSearch') ?? '') };
  return { ...old, object: primary };
}

/** In those addresses, the text of a query is percent-encoded, then base64-encoded. */
function decoded(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const words = new TextDecoder().decode(bytes);
    return /%[0-9a-f]{2}/i.test(words) ? decodeURIComponent(words) : words;
  } catch {
    return undefined;
  }
}

/** Parameters for another mode, including values that the previous mode passes on. */
export function modeChange(state: ExploreState, mode: Mode): Readonly<Record<string, string | undefined>> {
  const isFresh = state.to === undefined && state.from === undefined;
  return {
    mode: mode === 'object' ? undefined : mode,
    selected: undefined,
    ...(mode === 'path' && isFresh && state.object !== undefined && { from: state.object }),
  };
}
