import type { SqlEngine, Statements } from '../src/state/sqlEngine.ts';

/** Simulates `kill -9` after this number of statements: uncommitted changes are lost, and nothing runs later. */
export function killedAfter(engine: SqlEngine, statements: number): SqlEngine {
  let left = statements;
  const counted = (inner: Statements): Statements => ({
    async run(statement, values) {
      if (left-- <= 0) throw new Error('killed');
      await inner.run(statement, values);
    },
    async rows(statement, values) {
      if (left-- <= 0) throw new Error('killed');
      return inner.rows(statement, values);
    },
  });
  return {
    ...counted(engine),
    transaction: (work) =>
      engine.transaction(async (inner) => {
        if (left <= 0) throw new Error('killed');
        const result = await work(counted(inner));
        // The commit itself may be missing.
        if (left-- <= 0) throw new Error('killed');
        return result;
      }),
    close: () => engine.close(),
  };
}
