/** Every reason why a file, or the rest of it, cannot be read, with its wording. */

const FAULTS = {
  empty: 'file is not valid json: the file is empty',
  'not-json': 'file is not valid json',
  truncated: 'file is not valid json: it ends too early',
  'not-object': 'the file is not a JSON object',
  encoding: 'file is not valid json: the text is not valid in its encoding',
  'nested-archive': 'file is not valid json: it is an archive, and archives inside archives are not read',
  'no-tags': 'no valid meta tag or data tag found',
  'no-meta': 'no valid meta tag found',
  'no-data': 'no data tag found',
  'invalid-data': 'invalid data tag found',
  'unknown-type': 'no valid meta tag found: the data type is not known',
  'mixed-formats': 'collection members and graph members are mixed in one file',
  'repeated-member': 'a top-level member occurs more than once',
  'no-reader': 'objects of this type cannot be read from a separate file',
  'invalid-metadata': 'invalid metadata',
  schema: 'File failed schema validation',
  'unsafe-name': 'the name of the archive member is not safe',
  encrypted: 'the archive member is encrypted',
  'too-large': 'the archive member is larger than allowed',
  'too-dense': 'the archive member expands to far more than collection files do',
  damaged: 'the archive member is damaged',
  'not-an-archive': 'the file is not a readable zip archive',
  'cut-off-archive': 'the archive is damaged or truncated',
  'not-storable': 'the file cannot be stored',
  'job-failed': 'the upload job failed',
  'timed-out': 'reading the file took too long, and the rest of it was skipped',
  'too-many-members': 'the archive has too many members',
} as const;

export type FileFaultCode = keyof typeof FAULTS;

export interface FileFault {
  readonly code: FileFaultCode;
  /** One sentence for the user. */
  readonly message: string;
  /** Byte offset in the (decompressed) file, if known. */
  readonly offset?: number;
  /** The problems for `schema`, one per line. */
  readonly problems?: readonly string[];
}

export function fileFault(code: FileFaultCode, detail?: string, offset?: number): FileFault {
  const message = detail === undefined ? FAULTS[code] : `${FAULTS[code]}: ${detail}`;
  return offset === undefined ? { code, message } : { code, message, offset };
}
