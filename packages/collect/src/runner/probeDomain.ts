/** Probes of a domain: targets are found in its records as they are written, and the results go to the same files. */

import type { Json } from '../directory/records.ts';
import type { FileType, WriteRecord } from '../directory/secondPass.ts';
import { type Probe, type ProbeParts, type ProbeTarget, runProbes } from '../probes/runProbes.ts';

export interface ProbeRequest {
  readonly probes: readonly Probe[];
  /** Number of probes started per second. */
  readonly perSecond: number;
  /** Called with all targets before the first probe. @returns false to run none */
  readonly onTargets: (targets: readonly ProbeTarget[]) => boolean;
  /** Address of a host; for tests. */
  readonly place?: ProbeParts['place'];
  readonly limitMs?: number;
}

export class ProbeTargets {
  readonly #request: ProbeRequest;
  readonly #targets: ProbeTarget[] = [];

  constructor(request: ProbeRequest) {
    this.#request = request;
  }

  /** @returns a function that writes records, and remembers those that can be probed */
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
