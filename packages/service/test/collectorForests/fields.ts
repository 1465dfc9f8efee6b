/** Accounts of a forest by their kind, and the fields of objects that a collector writes. */
import type { Account, SourceForest } from './sourceForest.ts';
import { accountsOf, fieldsOfAccount, fieldsOfDomain, take } from './sourceForest.ts';

export const usersOf = (forest: SourceForest): Account[] =>
  accountsOf(forest).filter(({ kind }) => kind === 'User');

export const computersOf = (forest: SourceForest): Account[] =>
  accountsOf(forest).filter(({ kind }) => kind === 'Computer');

export const accountFields = (forest: SourceForest, account: Account, names: readonly string[]) =>
  take(fieldsOfAccount(forest, account), names);

export const domainFields = (forest: SourceForest, names: readonly string[]) =>
  take(fieldsOfDomain(forest), names);
