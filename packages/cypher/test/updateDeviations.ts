/** Scenarios of openCypher with clauses that change a graph, whose results differ here, with the reason: `docs/cypher.md#layers`. */
export const UPDATE_DEVIATIONS: Readonly<Record<string, string>> = {};
