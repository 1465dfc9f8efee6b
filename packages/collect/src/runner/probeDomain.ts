/** Probes of a domain that was read: targets are taken from its records as they are written, and their results go to the same files. */

import type { Json } from '../directory/records.ts';
import type { FileType, WriteRecord } from '../directory/secondPass.ts';
import { type Probe, type ProbeParts, type ProbeTarget, runProbes } from '../probes/runProbes.ts';

export interface ProbeRequest {
  readonly probes: readonly Probe[];
  /** How many begin in a second. */
  readonly perSecond: number;
  /** Called with all of them before the first one begins. @returns false to run none */
  readonly onTargets: (targets: readonly ProbeTarget[]) => boolean;
  /** Where a host is; for tests. */
  readonly place?: ProbeParts['place'];
  readonly limitMs?: number;
}

export class ProbeTargets {
  readonly #request: ProbeRequest;
  readonly #targets: ProbeTarget[] = [];

  constructor(request: ProbeRequest) {
    this.#request = request;
  }

  /** @returns a function that writes records, and remembers those that can be asked */
  watch(write: WriteRecord): WriteRecord {
    return async (file, record) => {
      this.#remember(file, record);
      await write(file, record);
    };
  }

  async run(parts: Omit<ProbeParts, 'perSecond' | 'place' | 'limitMs'>): Promise<void> {
    const { onTargets, perSecond, place, limitMs } = this.#request;
    if (!onTargets(this.#targets)) return;
    await runProbes(this.#targets, { ...parts, perSecond, place, limitMs });
  }

  #remember(file: FileType, { ObjectIdentifier, Properties, IsDC }: Json): void {
    const { name, enabled, dnshostname } = (Properties ?? {}) as Json;
    const id = String(ObjectIdentifier);
    const add = (probe: Probe, host: unknown): void => {
      if (this.#request.probes.includes(probe) && typeof host === 'string' && host !== '')
        this.#targets.push({ probe, id, host: host.toLowerCase() });
    };
    if (file === 'enterprisecas') add('web-enrollment', dnshostname);
    if (file !== 'computers' || enabled !== true) return;
    add('smb-signing', name);
    if (IsDC === true) add('ldap-signing', name);
  }
}
