/**
 * Name resolution at one point of a query. All values of a query are in one row of slots; a clause that starts a
 * new scope allocates further slots for the values that it passes on.
 */
import { CypherError } from '../cypherError.ts';
import { didYouMean } from '../names/nearestName.ts';

/** Static type of a variable: a `scalar` is not part of the graph, a `value` may be anything. */
export type VariableType = 'node' | 'relationship' | 'relationships' | 'path' | 'list' | 'scalar' | 'value';

export interface Variable {
  readonly slot: number;
  readonly type: VariableType;
}

/** Slots of one query, including its subqueries. */
export class Frame {
  size = 0;

  slot(): number {
    return this.size++;
  }
}

/** @returns why a name cannot be used here; `undefined` for a name that is not defined before either */
type WhyNot = (name: string) => string | undefined;

export class Scope {
  readonly frame: Frame;
  readonly #variables: ReadonlyMap<string, Variable>;
  readonly #whyNot: WhyNot | undefined;

  constructor(frame: Frame, variables: ReadonlyMap<string, Variable> = new Map(), whyNot?: WhyNot) {
    this.frame = frame;
    this.#variables = variables;
    this.#whyNot = whyNot;
  }

  get names(): readonly string[] {
    return [...this.#variables.keys()];
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name);
  }

  /** @throws CypherError for an undefined name */
  get(name: string, at: number): Variable {
    const variable = this.#variables.get(name);
    if (variable === undefined)
      throw new CypherError(
        'meaning',
        this.#whyNot?.(name) ?? `the variable \`${name}\` is not defined${didYouMean(name, this.names)}`,
        at,
      );
    return variable;
  }

  with(name: string, type: VariableType, slot = this.frame.slot()): { scope: Scope; variable: Variable } {
    const variable = { slot, type };
    return { scope: this.withAll([[name, variable]]), variable };
  }

  withAll(variables: Iterable<readonly [string, Variable]>): Scope {
    return new Scope(this.frame, new Map([...this.#variables, ...variables]), this.#whyNot);
  }
  /** @param whyNot explains names that were defined before */
  explaining(whyNot: WhyNot): Scope {
    return new Scope(this.frame, this.#variables, whyNot);
  }
}
