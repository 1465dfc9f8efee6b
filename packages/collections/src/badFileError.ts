/** Thrown inside the readers if the rest of a file cannot be read; the writer of the report catches it. */
import type { FileFault } from './fileFault.ts';

export class BadFileError extends Error {
  override readonly name = 'BadFileError';
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault.message);
    this.fault = fault;
  }
}
