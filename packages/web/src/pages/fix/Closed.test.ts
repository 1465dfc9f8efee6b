import type { CardRecord } from '@clew/api';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router, type RouterProps } from 'wouter';
import { Closed } from './Closed.tsx';

const finding = (title: string, name: string) => ({
  ...{ finding: title, title, asset_group_tag_id: 1, environment_id: 'A' },
  target: { object_id: name, name, kind: 'User' },
});

const shown = (card: Partial<CardRecord>): string => {
  const closed = createElement(Closed, { card: card as CardRecord, isOpen: true });
  const page = renderToStaticMarkup(createElement(Router, { ssrPath: '/' } as RouterProps, closed));
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

test('names the findings that a card closes, and those that it opens, with the number of the ones not listed', () => {
  const text = shown({
    ...{ closed_count: 1, closed: [finding('Logons', 'ada')] },
    ...{ opened_count: 3, opened: [finding('Unused', 'bob')] },
  });
  expect(text).toMatch(/^The finding that it closes, 3 new ones open Logons: .*ada/);
  expect(text).toMatch(/Findings that open: Unused: .*bob and 2 more findings$/);
});

test('has no heading for findings that open where no finding opens', () => {
  const text = shown({ closed_count: 1, closed: [finding('Logons', 'ada')], opened_count: 0, opened: [] });
  expect(text).not.toContain('open');
});
