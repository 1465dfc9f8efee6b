/**
 * Probes that a user asks for: what hosts say of themselves over the network, which no directory knows. They are listed before they run, no
 * more of them begin in a second than is allowed, and what is not answered is noted, not guessed.
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
  /** Object id of the computer or authority. */
  readonly id: string;
  readonly host: string;
}

export interface ProbeParts {
  readonly perSecond: number;
  /** Milliseconds for which a host may be silent; each probe as a whole has `DEADLINE_LIMITS` times as many. */
  readonly limitMs?: number;
  readonly ca?: Buffer;
  readonly signal?: AbortSignal;
  /** Where a host is; default: its name with the port of the probe. */
  readonly place?: (host: string, port: number) => Target;
  /** A ticket of the reader for `ldap/HOST`; without one `ldap-signing` is noted as not asked. */
  readonly ticketFor?: (host: string) => Promise<Ticket>;
  readonly write: (file: 'computers' | 'enterprisecas', record: Record<string, unknown>) => Promise<void>;
  readonly note: (what: string, example: string) => void;
}

const PORT = { smb: 445, http: 80, https: 443, ldap: 389, ldaps: 636 } as const;
const LIMIT_MS = 4_000;
/** A host that sends a byte now and then is never silent: without an end for the whole probe it would hold the run. */
const DEADLINE_LIMITS = 8;

/** All probes begin in their order, at most so many in a second; each ends by itself. */
export async function runProbes(targets: readonly ProbeTarget[], parts: ProbeParts): Promise<void> {
  const { signal, note } = parts;
  const running = new Set<Promise<void>>();
  try {
    for (const target of targets) {
      signal?.throwIfAborted();
      const work = run(target, parts).catch((error: Error) =>
        note(`${WORDS[target.probe]} is not known`, `${target.host}: ${error.message}`),
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
  'web-enrollment': 'whether an authority has web enrollment that can be relayed to',
  'ldap-signing': 'whether a controller asks for signing and channel binding',
};

/** The signal of the whole run ends each probe, and so does its own deadline. */
async function run(target: ProbeTarget, parts: ProbeParts): Promise<void> {
  const deadline = new AbortController();
  const wholeMs = (parts.limitMs ?? LIMIT_MS) * DEADLINE_LIMITS;
  const timer = setTimeout(
    () => deadline.abort(new Error(`no whole answer within ${wholeMs / 1_000} s`)),
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
 * Pages without encryption are proof, whatever port 443 says. Over HTTPS only a sign-in would show whether the pages are bound to their
 * connection: what is not known is not written.
 */
async function probeEnrollment({ id, host }: ProbeTarget, parts: ProbeParts): Promise<void> {
  const [plain, encrypted] = await Promise.allSettled([
    enrollmentAt(parts, host, false),
    enrollmentAt(parts, host, true),
  ]);
  const isProven = plain.status === 'fulfilled' && plain.value;
  if (encrypted.status === 'rejected')
    parts.note(
      'web enrollment over HTTPS: whether it is there is not known',
      `${host}: ${(encrypted.reason as Error).message}`,
    );
  else if (encrypted.value && !isProven)
    parts.note('web enrollment over HTTPS: whether it is bound to its connection is not known', host);
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

/** A port where nothing listens has no pages; every other failure leaves the question open. */
const enrollmentAt = (parts: ProbeParts, host: string, isEncrypted: boolean): Promise<boolean> =>
  asksForNtlm(placeOf(parts, host, isEncrypted ? PORT.https : PORT.http), isEncrypted, {
    ...{ limitMs: parts.limitMs ?? LIMIT_MS, ca: parts.ca, signal: parts.signal },
  }).catch((error: unknown) => {
    if (isClosed(error)) return false;
    // Its own error has no reason.
    parts.signal?.throwIfAborted();
    throw error;
  });

async function probeLdap({ id, host }: ProbeTarget, parts: ProbeParts): Promise<void> {
  const { ticketFor, ca, limitMs: silenceMs = LIMIT_MS, signal } = parts;
  if (ticketFor === undefined) throw new Error('it is asked with Kerberos alone');
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
      'whether a controller asks for channel binding is not known',
      `${host}: ${(error as Error).message}`,
    );
  }
  await parts.write('computers', { ObjectIdentifier: id, Properties: properties, IsDeleted: false });
}
