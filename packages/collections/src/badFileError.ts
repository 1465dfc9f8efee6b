/** Thrown inside the readers when the rest of a file cannot be read; caught where the report is written. */
import type { FileFault } from './fileFault.ts';

export class BadFileError extends Error {
  override readonly name = 'BadFileError';
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault.message);
    this.fault = fault;
  }
}
