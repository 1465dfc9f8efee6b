/** Changes selected for What if: repairs, removed relationships, disabled principals. Kept while the tab is open. */
import type { SimulationRequest } from '@clew/api';
import { useSyncExternalStore } from 'react';
import { pathTo } from '../address.ts';
import { onForget } from '../service/kept.ts';
import { BASKET } from '../service/keptKeys.ts';
import { cleanText, shortText } from '../text/cleanText.ts';
import { isMasked, maskedText, pseudonymOf } from '../text/masking.ts';
import { notify } from './notices.ts';

export interface BasketItem {
  /** Contains real names; pages show {@link shownTitle} instead. */
  readonly title: string;
  readonly request: SimulationRequest;
  /** Known only for repairs. */
  readonly cost?: number | undefined;
  /** Whether the cost is the sum of several repairs. */
  readonly isSum?: boolean | undefined;
  /** Users and computers that lose access; known only for repairs. */
  readonly affected?: number | undefined;
}

export type BasketFacts = Omit<BasketItem, 'request'>;

const listeners = new Set<() => void>();
let items: readonly BasketItem[] = load();

function load(): readonly BasketItem[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(BASKET) ?? '[]');
    return Array.isArray(kept) ? (kept as BasketItem[]) : [];
  } catch {
    return [];
  }
}

function keep(next: readonly BasketItem[]): void {
  items = next;
  try {
    sessionStorage.setItem(BASKET, JSON.stringify(next));
  } catch {
    // The value is lost on reload.
  }
  for (const listener of listeners) listener();
}

export function useBasket(): readonly BasketItem[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => items,
  );
}

export function addToBasket(request: SimulationRequest, facts: BasketFacts): void {
  if (items.some((item) => isSameRequest(item.request, request))) return;
  const added = { ...facts, request };
  keep([...items, added]);
  notify(`Added to What if (${items.length})`, {
    to: { title: 'View', path: pathTo('what-if') },
    undo: () => removeFromBasket(added),
  });
}

/**
 * The title of a change. While names are masked, it is composed of kinds and pseudonyms, because a text from an earlier page may
 * contain names that no later answer contained.
 */
export function shownTitle({ title, request }: BasketItem): string {
  if (!isMasked()) return cleanText(title);
  const named = (id: string): string => pseudonymOf(id) ?? maskedText(id);
  const parts = [
    ...(request.repairs ?? []).map(
      ({ kind, object_id, principal_id }) =>
        `${kind} on ${named(object_id)}${principal_id === undefined ? '' : ` for ${named(principal_id)}`}`,
    ),
    ...(request.remove ?? []).map(
      ({ kind, source_id, target_id }) => `Remove ${kind} on ${named(target_id)} from ${named(source_id)}`,
    ),
    ...(request.disable ?? []).map((id) => `Disable ${named(id)}`),
  ];
  return shortText(parts.join('; '));
}

export const isSameRequest = (one: SimulationRequest, other: SimulationRequest): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const removeFromBasket = (item: BasketItem): void => keep(items.filter((one) => one !== item));
/** @param from old index @param to new index; both from 0 */
export function moveInBasket(from: number, to: number): void {
  const moved = items[from];
  if (moved === undefined || from === to || to < 0 || to >= items.length) return;
  keep(items.filter((_, at) => at !== from).toSpliced(to, 0, moved));
}
export const emptyBasket = (): void => keep([]);
onForget(() => {
  items = [];
  for (const listener of listeners) listener();
});

/** @returns one request with all changes */
export function unitedRequest(all: readonly BasketItem[], zone?: number): SimulationRequest {
  const of = <Name extends 'repairs' | 'remove' | 'add' | 'disable'>(name: Name) =>
    all.flatMap(({ request }) => (request[name] ?? []) as readonly unknown[]) as never;
  return {
    repairs: of('repairs'),
    remove: of('remove'),
    add: of('add'),
    disable: of('disable'),
    ...(zone !== undefined && { asset_group_tag_id: zone }),
  };
}
