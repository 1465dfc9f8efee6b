/** Bounds the connections of one user, whatever their addresses: one that waits is ended for a new one. */

export interface UserConnection {
  /** Whether it neither works nor holds rows. */
  readonly isWaiting: boolean;
  end(): void;
}

export class UserConnections {
  readonly #max: number;
  readonly #users = new Map<string, Set<UserConnection>>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param user id of the user
   * @returns a function for the end of the connection, or of its sign-in; `undefined` if the user has too many connections and none of
   * them waits
   */
  add(user: string, connection: UserConnection): (() => void) | undefined {
    const own = this.#users.get(user) ?? new Set();
    if (own.size >= this.#max) {
      const waiting = [...own].find(({ isWaiting }) => isWaiting);
      if (waiting === undefined) return undefined;
      own.delete(waiting);
      waiting.end();
    }
    this.#users.set(user, own.add(connection));
    return () => {
      own.delete(connection);
      if (own.size === 0 && this.#users.get(user) === own) this.#users.delete(user);
    };
  }
}
