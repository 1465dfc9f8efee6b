import type { SqlEngine, Statements } from '../src/state/sqlEngine.ts';

/** Simulates `kill -9` after this number of statements: uncommitted changes are lost, and nothing runs later. */
export function killedAfter(engine: SqlEngine, statements: number): SqlEngine {
  let left = statements;
  return killedWhen(engine, () => left-- <= 0);
}

/** @param isKilled called at each statement and commit */
export function killedWhen(engine: SqlEngine, isKilled: () => boolean): SqlEngine {
  const check = (): void => {
    if (isKilled()) throw new Error('killed');
  };
  const counted = (inner: Statements): Statements => ({
    async run(statement, values) {
      check();
      await inner.run(statement, values);
    },
    async rows(statement, values) {
      check();
      return inner.rows(statement, values);
    },
  });
  return {
    ...counted(engine),
    transaction: (work) =>
      engine.transaction(async (inner) => {
        const result = await work(counted(inner));
        // The commit itself may be missing.
        check();
        return result;
      }),
    close: () => engine.close(),
  };
}
