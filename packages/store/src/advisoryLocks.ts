/** Advisory locks of the database, by purpose. Only Clew uses these numbers within a database. */
export const AdvisoryLock = {
  migrate: 0x636c_0001,
  /** Allows one job at a time to be ingested. */
  ingest: 0x636c_0002,
  /** Allows one generation at a time to be built. */
  generation: 0x636c_0003,
  /** Allows one transaction at a time to write facts. */
  facts: 0x636c_0004,
  /** Allows one process at a time to make plans. */
  plans: 0x636c_0005,
  /** Allows one transaction at a time to write definitions of custom checks. */
  checks: 0x636c_0006,
  /** One process at a time makes backups by schedule. */
  backups: 0x636c_0007,
  /** Allows one transaction at a time to add an assistant, or a grant of one. */
  assistants: 0x636c_0008,
  /** Held while migrations change the tables of an older version: other processes write nothing. */
  upgrade: 0x636c_0009,
  /** Each running process holds it, shared, on the session that learns of upgrades. */
  process: 0x636c_000a,
  /** Allows one transaction at a time to write findings of all kinds, which would otherwise wait for each other's rows in a circle. */
  findings: 0x636c_000b,
} as const;
