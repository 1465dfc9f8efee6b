/** Parsers for values of configuration variables. Each throws an error whose message completes "NAME ...". */
import { splitServers } from '@clew/store';
import ipaddr from 'ipaddr.js';
import type { TrustedProxies } from '../operation/clientAddress.ts';

export const text = (value: string): string => value;

export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`must be a number from ${min} to ${max}`);
    return number;
  };
}

export function boolean(value: string): boolean {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  throw new Error('must be true or false');
}

export function oneOf<const T extends string>(choices: readonly T[]): (value: string) => T {
  return (value) => {
    const choice = choices.find((one) => one === value.toLowerCase());
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

export function someOf<const T extends string>(choices: readonly T[]): (value: string) => readonly T[] {
  const parseOne = oneOf(choices);
  return (value) => {
    const items = list(value);
    if (items.length === 0) throw new Error(`must contain at least one of ${choices.join(', ')}`);
    return [...new Set(items.map(parseOne))];
  };
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};

/** `1048576`, `64MiB`, `4GiB`. */
export function bytes(value: string): number {
  const match = /^(\d{1,12})\s*([KMGT]iB)?$/i.exec(value);
  const size = match ? Number(match[1]) * UNITS[(match[2] ?? '').toUpperCase()] : Number.NaN;
  if (!(size > 0 && Number.isSafeInteger(size))) throw new Error('must be a size such as 500MiB or 4GiB');
  return size;
}

export function databaseUrl(value: string): string {
  // Forms with a socket directory are not valid URLs, so only the beginning is checked. The value may contain a password, so the message
  // does not repeat it.
  if (!/^postgres(ql)?:\/\/\S+$/.test(value))
    throw new Error('must be a PostgreSQL address, postgres://user:password@host/database');
  splitServers(value);
  return value;
}

export function secretKey(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters');
  return value;
}

/** A shorter passphrase can be brute-forced on a GPU, even with an expensive hash. */
export const MIN_PASSPHRASE = 12;

export function passphrase(value: string): string {
  if (value.length < MIN_PASSPHRASE) throw new Error(`must have at least ${MIN_PASSPHRASE} characters`);
  return value;
}

/** @returns the address without a trailing slash */
export function httpUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new Error('must be an address such as https://clew.example.com');
  return url.href.replace(/\/+$/, '');
}

/** @returns the address of a receiver of traces, with the path of the standard where it names none */
export function tracesUrl(value: string): string {
  const url = new URL(httpUrl(value));
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}

export function origins(value: string): readonly string[] {
  return list(value).map((item) => {
    const url = URL.parse(item);
    if (url === null || url.origin !== item.replace(/\/$/, ''))
      throw new Error(`must list origins such as https://portal.example.com (not ${item})`);
    return url.origin;
  });
}

export function headerName(value: string): string {
  if (!/^[a-z0-9-]+$/i.test(value)) throw new Error('must be the name of a header');
  return value.toLowerCase();
}

/** A number of proxies, or their addresses and networks. */
export function trustedProxies(value: string): TrustedProxies {
  if (/^\d{1,2}$/.test(value)) return { count: Number(value) };
  return {
    networks: list(value).map((item) => {
      if (ipaddr.isValidCIDR(item)) return ipaddr.parseCIDR(item);
      if (!ipaddr.isValid(item))
        throw new Error(`must be a count, or a list of addresses and networks (not ${item})`);
      const address = ipaddr.process(item);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    }),
  };
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Addresses with the length of the prefix: `10.0.0.0/8`, `fd00::/8`. */
export type Networks = readonly (readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number])[];

export function networks(value: string): Networks {
  return list(value).map((item) => {
    if (!ipaddr.isValidCIDR(item)) throw new Error('must be networks such as 10.0.0.0/8');
    return ipaddr.parseCIDR(item);
  });
}

/** `name=number`, comma-separated, with the given names. */
export function amounts<Name extends string>(
  names: readonly Name[],
  min: number,
  max: number,
): (text: string) => Readonly<Partial<Record<Name, number>>> {
  return (text) => {
    const found: Partial<Record<Name, number>> = {};
    for (const part of text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)) {
      const [name = '', amount = ''] = part.split('=').map((one) => one.trim());
      const number = /^\d{1,9}$/.test(amount) ? Number(amount) : Number.NaN;
      if (!names.includes(name as Name)) throw new Error(`must contain some of ${names.join(', ')}`);
      if (!(number >= min && number <= max))
        throw new Error(`must set ${name} to a whole number from ${min} to ${max}`);
      found[name as Name] = number;
    }
    return found;
  };
}
