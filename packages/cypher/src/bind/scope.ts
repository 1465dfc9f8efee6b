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

export class Scope {
  readonly frame: Frame;
  readonly #variables: ReadonlyMap<string, Variable>;

  constructor(frame: Frame, variables: ReadonlyMap<string, Variable> = new Map()) {
    this.frame = frame;
    this.#variables = variables;
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
        `the variable \`${name}\` is not defined${didYouMean(name, this.names)}`,
        at,
      );
    return variable;
  }

  with(name: string, type: VariableType, slot = this.frame.slot()): { scope: Scope; variable: Variable } {
    const variable = { slot, type };
    return { scope: new Scope(this.frame, new Map([...this.#variables, [name, variable]])), variable };
  }

  withAll(variables: Iterable<readonly [string, Variable]>): Scope {
    return new Scope(this.frame, new Map([...this.#variables, ...variables]));
  }
}
