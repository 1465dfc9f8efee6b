/**
 * The file of a backup. A line of JSON describes the file and its encryption. The body follows, compressed by zstd, and then sealed if
 * there is a passphrase: records, each with a length (4 bytes) and that many bytes. The first record is the header. For each table, a
 * record with its name and columns follows, then records with its rows as binary COPY, and an empty record. The last record contains the
 * SHA-256 of all previous records. The file ends with `FILE_END`, because zstd does not notice that its last bytes are missing.
 */
import type { Sealing } from './sealedFrames.ts';

export const FORMAT = 1;

export const FILE_END = Buffer.from('\nCLEWEND\n');

export interface FileHead {
  readonly clew_backup: number;
  /** Identifies the installation without a secret, hexadecimal. */
  readonly installation?: string;
  /** Absent without a passphrase. */
  readonly sealing?: Sealing;
}

export interface Sequence {
  readonly name: string;
  readonly last: string;
  readonly called: boolean;
}

export interface BackupHeader {
  /** ISO 8601. */
  readonly made_at: string;
  /** Names of the migrations of the database. */
  readonly migrations: readonly string[];
  readonly sequences: readonly Sequence[];
  readonly tables: number;
  /** Root key of the installation; only in sealed files. */
  readonly secret_key?: string;
}

export interface TableRecord {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface EndRecord {
  /** Hexadecimal. */
  readonly sha256: string;
}
