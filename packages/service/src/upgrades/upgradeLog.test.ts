import { useTestDatabase } from '@clew/store/testing';
import { expect, it } from 'vitest';
import { migrateDatabase } from '../migrateDatabase.ts';
import { upgradeSentences } from './upgradeLog.ts';
