/** Advisory locks of the database, by what they guard. Within one database, only Clew uses these numbers. */
export const AdvisoryLock = {
  migrate: 0x636c_0001,
  /** One job at a time is read and merged. */
  ingest: 0x636c_0002,
  /** One generation at a time is built. */
  generation: 0x636c_0003,
  /** One transaction at a time writes facts. */
  facts: 0x636c_0004,
  /** One process at a time makes plans. */
  plans: 0x636c_0005,
  /** One transaction at a time writes definitions of custom checks. */
  checks: 0x636c_0006,
} as const;
