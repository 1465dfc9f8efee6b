/**
 * Principals that entries of access lists name, each made once: the lists of all objects name the same few hundred groups and accounts. It
 * saves their upper-casing, lets the strings that the parser made of their ids die young, and since the same id is the same string from
 * then on, later look-ups need neither hash nor compare it.
 *
 * A table with one place for each id, found by the end of the id, where ids of a domain differ: a map would hash the whole of every string
 * just read, which costs more than it saves.
 */
import type { Json } from '../json/value.ts';
import { idFault, type Principal, principalKind } from './principal.ts';

/** A power of two. A new entry takes over a place that is taken. */
const PLACES = 8192;
/** Characters that make the place. */
const TAIL = 5;

interface Known {
  readonly id: string;
  readonly type: Json | undefined;
  readonly principal: Principal;
}

export class PrincipalCache {
  readonly #known: (Known | undefined)[] = new Array(PLACES).fill(undefined);

  /** @param id as the collector wrote it, not empty @returns one with an empty id where it is that of no object */
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

/** The last characters read as a decimal number: neighbors among the ids of a domain get places of their own. */
function placeOf(id: string): number {
  let place = 0;
  for (let at = Math.max(0, id.length - TAIL); at < id.length; at++) place = place * 10 + id.charCodeAt(at);
  return place & (PLACES - 1);
}
