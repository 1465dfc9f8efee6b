/**
 * Principals that entries of access lists name, each made once: a few thousand groups and accounts stand in the lists
 * of all objects. It spares their upper-casing, lets what the parser made of their ids die young, and since the same id
 * is the same string from then on, later look-ups need neither hash nor compare it.
 */
import type { Json } from '../json/value.ts';
import { type Principal, principalKind } from './principal.ts';

/** Principals kept; then it begins anew. */
const CAPACITY = 8192;

export class PrincipalCache {
  readonly #known = new Map<string, { readonly type: Json | undefined; readonly principal: Principal }>();

  /** @param id as the collector wrote it, not empty */
  of(id: string, type: Json | undefined): Principal {
    const known = this.#known.get(id);
    if (known !== undefined && known.type === type) return known.principal;
    if (this.#known.size >= CAPACITY) this.#known.clear();
    const principal: Principal = { id: id.toUpperCase(), kind: principalKind(type) };
    this.#known.set(id, { type, principal });
    return principal;
  }
}
