/** Test helpers. */
import type { EmbeddedLog } from './embeddedPostgres.ts';

export const silentLog: EmbeddedLog = { debug() {}, info() {}, warn() {}, error() {} };
