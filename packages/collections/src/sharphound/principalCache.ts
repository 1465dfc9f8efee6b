/**
 * Principals named in access list entries, created once each: all objects name the same few hundred groups and accounts. This avoids
 * converting them to upper case again and lets the parsed id strings be collected early. Equal ids are then identical strings, so later
 * look-ups need neither hash nor compare them.
 *
 * The table has one slot per id, indexed by the end of the id, in which ids of a domain differ: a map would hash every parsed string, which
 * costs more than it saves.
 */
import type { Json } from '../json/value.ts';
import { idFault, type Principal, principalKind } from './principal.ts';

/** A power of two. A new entry replaces the one in its slot. */
const PLACES = 8192;
/** Number of characters that determine the slot. */
const TAIL = 5;

interface Known {
  readonly id: string;
  readonly type: Json | undefined;
  readonly principal: Principal;
}

export class PrincipalCache {
  readonly #known: (Known | undefined)[] = new Array(PLACES).fill(undefined);

  /** @param id as written by the collector, not empty @returns a principal with an empty id if no object has the id */
  of(id: string, type: Json | undefined): Principal {
    const place = placeOf(id);
    const known = this.#known[place];
    if (known !== undefined && known.id === id) {
      // Files may report different kinds for one id.
      return known.type === type ? known.principal : { id: known.principal.id, kind: principalKind(type) };
    }
    const upper = id.toUpperCase();
    const principal: Principal = {
      id: idFault(upper) === undefined ? upper : '',
      kind: principalKind(type),
    };
    this.#known[place] = { id, type, principal };
    return principal;
  }
}

/** Reads the last characters as a decimal number, so that consecutive ids of a domain get different slots. */
function placeOf(id: string): number {
  let place = 0;
  for (let at = Math.max(0, id.length - TAIL); at < id.length; at++) place = place * 10 + id.charCodeAt(at);
  return place & (PLACES - 1);
}
