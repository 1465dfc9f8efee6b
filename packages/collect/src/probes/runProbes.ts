/**
 * Probes requested by the user: facts that hosts reveal over the network and no directory contains. They are listed before they run, their
 * rate is limited, and missing answers are noted, not guessed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Ticket } from '../kerberos/tickets.ts';
import type { Target } from '../net/connect.ts';
import { requiresChannelBinding, requiresSigning } from '../signIn/askPolicies.ts';
import { askSigning } from '../smb/askSigning.ts';
import { addressOf, asksForNtlm, isClosed } from './askEnrollment.ts';

export const PROBES = ['smb-signing', 'web-enrollment', 'ldap-signing'] as const;
export type Probe = (typeof PROBES)[number];

export interface ProbeTarget {
  readonly probe: Probe;
  /** Object id of the computer or CA. */
  readonly id: string;
  readonly host: string;
}

export interface ProbeParts {
  readonly perSecond: number;
  /** Maximum milliseconds of silence; a whole probe may take `DEADLINE_LIMITS` times as long. */
  readonly limitMs?: number;
  readonly ca?: Buffer;
  readonly signal?: AbortSignal;
  /** Address of a host; default: its name with the port of the probe. */
  readonly place?: (host: string, port: number) => Target;
  /** The collector's ticket for `ldap/HOST`; without it, `ldap-signing` is noted as not probed. */
  readonly ticketFor?: (host: string) => Promise<Ticket>;
  readonly write: (file: 'computers' | 'enterprisecas', record: Record<string, unknown>) => Promise<void>;
  readonly note: (what: string, example: string) => void;
}

const PORT = { smb: 445, http: 80, https: 443, ldap: 389, ldaps: 636 } as const;
const LIMIT_MS = 4_000;
/** A host that slowly sends single bytes is never silent, so the whole probe needs a time limit. */
const DEADLINE_LIMITS = 8;

/** Starts all probes in order, with a limited rate; each ends on its own. */
export async function runProbes(targets: readonly ProbeTarget[], parts: ProbeParts): Promise<void> {
  const { signal, note } = parts;
  const running = new Set<Promise<void>>();
  try {
    for (const target of targets) {
      signal?.throwIfAborted();
      const work = run(target, parts).catch((error: Error) =>
        note(`${WORDS[target.probe]} is unknown`, `${target.host}: ${error.message}`),
      );
      running.add(work);
      void work.then(() => running.delete(work));
      await pause(1_000 / parts.perSecond, undefined, { signal });
    }
  } finally {
    await Promise.all(running);
  }
  signal?.throwIfAborted();
}

const WORDS: Readonly<Record<Probe, string>> = {
  'smb-signing': 'whether SMB is signed',
  'web-enrollment': 'whether a CA has web enrollment that is vulnerable to relay',
  'ldap-signing': 'whether a domain controller requires signing and channel binding',
};

/** The signal of the run and the deadline of the probe both end it. */
async function run(target: ProbeTarget, parts: ProbeParts): Promise<void> {
  const deadline = new AbortController();
  const wholeMs = (parts.limitMs ?? LIMIT_MS) * DEADLINE_LIMITS;
  const timer = setTimeout(
    () => deadline.abort(new Error(`no complete answer within ${wholeMs / 1_000} s`)),
    wholeMs,
  );
  const signal =
    parts.signal === undefined ? deadline.signal : AbortSignal.any([parts.signal, deadline.signal]);
  try {
    await RUN[target.probe](target, { ...parts, signal });
  } finally {
    clearTimeout(timer);
  }
}

const RUN: Readonly<Record<Probe, (target: ProbeTarget, parts: ProbeParts) => Promise<void>>> = {
  'smb-signing': probeSmb,
  'web-enrollment': probeEnrollment,
  'ldap-signing': probeLdap,
};

const placeOf = ({ place }: ProbeParts, host: string, port: number): Target =>
  place?.(host, port) ?? { host, port };

async function probeSmb({ id, host }: ProbeTarget, parts: ProbeParts): Promise<void> {
  const isRequired = await askSigning(
    placeOf(parts, host, PORT.smb),
    parts.limitMs ?? LIMIT_MS,
    parts.signal,
  );
  await parts.write('computers', {
    ...{ ObjectIdentifier: id, Properties: {}, IsDeleted: false },
    SmbInfo: { Collected: true, FailureReason: null, Result: { SigningEnabled: isRequired } },
  });
}

/**
 * Unencrypted pages are proof, whatever port 443 answers. Over HTTPS, only a sign-in would show whether channel binding is required, so
 * nothing is written.
 */
async function probeEnrollment({ id, host }: ProbeTarget, parts: ProbeParts): Promise<void> {
  const [plain, encrypted] = await Promise.allSettled([
    enrollmentAt(parts, host, false),
    enrollmentAt(parts, host, true),
  ]);
  const isProven = plain.status === 'fulfilled' && plain.value;
  if (encrypted.status === 'rejected')
    parts.note(
      'web enrollment over HTTPS: whether it exists is unknown',
      `${host}: ${(encrypted.reason as Error).message}`,
    );
  else if (encrypted.value && !isProven)
    parts.note('web enrollment over HTTPS: whether it requires channel binding is unknown', host);
  if (plain.status === 'rejected') throw plain.reason;
  if (!isProven && (encrypted.status === 'rejected' || encrypted.value)) return;
  await parts.write('enterprisecas', {
    ...{ ObjectIdentifier: id, Properties: {}, IsDeleted: false },
    HttpEnrollmentEndpoints: [
      {
        ...{ Collected: true, FailureReason: null },
        Result: { Url: addressOf(host, false), ADCSWebEnrollmentHTTP: isProven },
      },
    ],
  });
}

/** A closed port has no pages; every other failure leaves the question open. */
const enrollmentAt = (parts: ProbeParts, host: string, isEncrypted: boolean): Promise<boolean> =>
  asksForNtlm(placeOf(parts, host, isEncrypted ? PORT.https : PORT.http), isEncrypted, {
    ...{ limitMs: parts.limitMs ?? LIMIT_MS, ca: parts.ca, signal: parts.signal },
  }).catch((error: unknown) => {
    if (isClosed(error)) return false;
    // The library's own error has no reason.
    parts.signal?.throwIfAborted();
    throw error;
  });

async function probeLdap({ id, host }: ProbeTarget, parts: ProbeParts): Promise<void> {
  const { ticketFor, ca, limitMs: silenceMs = LIMIT_MS, signal } = parts;
  if (ticketFor === undefined) throw new Error('probing needs Kerberos');
  const ldapsigning = await requiresSigning(placeOf(parts, host, PORT.ldap), await ticketFor(host), {
    silenceMs,
    signal,
  });
  const properties: Record<string, boolean> = { ldapavailable: true, ldapsigning };
  try {
    const place = placeOf(parts, host, PORT.ldaps);
    properties.ldapsepa = await requiresChannelBinding(place, await ticketFor(host), {
      silenceMs,
      ca,
      signal,
    });
    properties.ldapsavailable = true;
  } catch (error) {
    parts.note(
      'whether a domain controller requires channel binding is unknown',
      `${host}: ${(error as Error).message}`,
    );
  }
  await parts.write('computers', { ObjectIdentifier: id, Properties: properties, IsDeleted: false });
}
