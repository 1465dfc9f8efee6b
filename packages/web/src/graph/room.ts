/** The occupied parts of a screen, in its points. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const CELL = 96;

/** Rectangles by squares of the screen, so that checking a place does not check all of them. */
export class Grid {
  readonly #cells: Map<number, Rect[]>;

  constructor(cells = new Map<number, Rect[]>()) {
    this.#cells = cells;
  }

  copy(): Grid {
    return new Grid(new Map([...this.#cells].map(([key, rects]) => [key, [...rects]])));
  }

  add(rect: Rect): void {
    this.#visit(rect, (key) => {
      const list = this.#cells.get(key);
      if (list === undefined) this.#cells.set(key, [rect]);
      else list.push(rect);
      return false;
    });
  }

  hits(rect: Rect): boolean {
    return this.#visit(rect, (key) =>
      (this.#cells.get(key) ?? []).some(
        (one) =>
          one.left < rect.right && rect.left < one.right && one.top < rect.bottom && rect.top < one.bottom,
      ),
    );
  }

  /** @returns whether a callback returned `true`, which ends the visit */
  #visit({ left, right, top, bottom }: Rect, each: (key: number) => boolean): boolean {
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++)
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++)
        if (each(column * 65_536 + row)) return true;
    return false;
  }
}
