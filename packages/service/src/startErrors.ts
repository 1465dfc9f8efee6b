/** Errors that keep the service from starting and that a person can act on: their messages say what to do. */

const NAMES: ReadonlySet<string> = new Set([
  'DirectoryInUseError',
  'UnreachableDatabaseError',
  'EmbeddedPostgresError',
  'ProcessOwnerError',
  'DatabaseUnavailableError',
  'MigrationError',
  'InstallationKeyError',
]);

export function isStartError(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}
