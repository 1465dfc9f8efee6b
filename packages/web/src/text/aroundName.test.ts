import { expect, it } from 'vitest';
import { aroundName } from './aroundName.ts';

it('a sentence is split at a whole name, and not inside another name', () => {
  const text = 'Remove Enroll on WEBSERVER@CORP.EXAMPLE from WEB@CORP.EXAMPLE';
  expect(aroundName(text, 'WEBSERVER@CORP.EXAMPLE')).toEqual(['Remove Enroll on ', ' from WEB@CORP.EXAMPLE']);
  expect(aroundName(text, 'WEB@CORP.EXAMPLE')).toEqual(['Remove Enroll on WEBSERVER@CORP.EXAMPLE from ', '']);
  expect(aroundName('Disable "A B", then C', 'A B')).toEqual(['Disable "', '", then C']);
  expect(aroundName(text, 'WEB')).toBeUndefined();
  expect(aroundName(text, '')).toBeUndefined();
});
