/** What is put together to be tried: repairs, relations that go, principals that are disabled. Kept while the tab is open. */
import type { SimulationRequest } from '@clew/api';
import { useSyncExternalStore } from 'react';
import { pathTo } from '../address.ts';
import { notify } from './notices.ts';

export interface BasketItem {
  readonly title: string;
  readonly request: SimulationRequest;
}

const KEY = 'clew.basket';
const listeners = new Set<() => void>();
let items: readonly BasketItem[] = load();

function load(): readonly BasketItem[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as BasketItem[]) : [];
  } catch {
    return [];
  }
}

function keep(next: readonly BasketItem[]): void {
  items = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // It lasts as long as the page.
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

export function addToBasket(request: SimulationRequest, { title }: { readonly title: string }): void {
  if (items.some((item) => isSameRequest(item.request, request))) return;
  const added = { title, request };
  keep([...items, added]);
  notify(`Added to What if (${items.length})`, {
    to: { title: 'View', path: pathTo('what-if') },
    undo: () => removeFromBasket(added),
  });
}

export const isSameRequest = (one: SimulationRequest, other: SimulationRequest): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const removeFromBasket = (item: BasketItem): void => keep(items.filter((one) => one !== item));
export const emptyBasket = (): void => keep([]);

/** @returns all of it as one request */
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
