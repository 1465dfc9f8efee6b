/** CA certificates: their names, thumbprints and constraints, and the chain from a CA to its root. */
import { createHash, X509Certificate } from 'node:crypto';
import { BER_TAG, BerError, BerReader } from '../ber/reader.ts';

export interface Certificate {
  /** SHA-1 in upper case, as Windows shows it. */
  readonly thumbprint: string;
  readonly hasConstraints: boolean;
  /** Maximum number of subordinate CAs; 0 if unlimited. */
  readonly pathLength: number;
  readonly parsed: X509Certificate;
}

/** @returns undefined for bytes that are not a certificate */
export function readCertificate(bytes: Buffer): Certificate | undefined {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(bytes);
  } catch {
    return undefined;
  }
  const pathLength = pathLengthOf(bytes);
  return {
    thumbprint: createHash('sha1').update(bytes).digest('hex').toUpperCase(),
    hasConstraints: pathLength !== undefined,
    pathLength: pathLength ?? 0,
    parsed,
  };
}

const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex');
const EXTENSIONS = 0xa3;

/** The limit in the basic constraints extension (RFC 5280, 4.2.1.9); undefined if it has none. */
function pathLengthOf(bytes: Buffer): number | undefined {
  try {
    const body = new BerReader(bytes).enter(BER_TAG.sequence).enter(BER_TAG.sequence);
    while (body.hasMore && body.peek() !== EXTENSIONS) body.enter();
    if (!body.hasMore) return undefined;
    const extensions = body.enter().enter(BER_TAG.sequence);
    while (extensions.hasMore) {
      const extension = extensions.enter(BER_TAG.sequence);
      if (!extension.octets(BER_TAG.oid).equals(BASIC_CONSTRAINTS)) continue;
      if (extension.peek() === BER_TAG.boolean) extension.enter();
      const constraints = new BerReader(extension.octets()).enter(BER_TAG.sequence);
      if (constraints.peek() === BER_TAG.boolean) constraints.enter();
      return constraints.hasMore ? constraints.integer() : undefined;
    }
  } catch (error) {
    if (!(error instanceof BerError)) throw error;
  }
  return undefined;
}

const MAX_CHAIN = 10;

/** Thumbprints from a certificate to its root, as far as the issuers are known. */
export function chainOf(leaf: Certificate, known: readonly Certificate[]): readonly string[] {
  const chain = [leaf];
  while (chain.length < MAX_CHAIN) {
    const last = chain[chain.length - 1];
    const issuer = known.find(
      ({ thumbprint, parsed }) =>
        last.parsed.checkIssued(parsed) && chain.every((one) => one.thumbprint !== thumbprint),
    );
    if (issuer === undefined) break;
    chain.push(issuer);
  }
  return chain.map(({ thumbprint }) => thumbprint);
}
