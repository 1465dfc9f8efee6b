import { VIEW_PAGES } from '@clew/api';
import { expect, it } from 'vitest';
import { viewPath, viewQuery } from './viewAddress.ts';

it('a view is the filters and the order of its page, without the place in the list and what is selected', () => {
  expect(viewQuery('findings', '?severity=critical&skip=50&sort=-first_seen')).toBe(
    'severity=critical&sort=-first_seen',
  );
  expect(viewQuery('findings', '?sort=-first_seen&severity=critical')).toBe(
    'severity=critical&sort=-first_seen',
  );
  expect(viewQuery('changes', '?kind=waiting&item=opened%3A7&days=7')).toBe('days=7&kind=waiting');
  expect(viewQuery('audit', '?view=audit&skip=50&actor=ann+lee&zone=2')).toBe('actor=ann+lee');
  expect(viewQuery('fix', '?limit=20&goal=5')).toBe('goal=5');
});

it('a view is opened at its page, with the same filters', () => {
  expect(viewPath({ page: 'findings', query: '' })).toBe('/findings');
  expect(viewPath({ page: 'posture', query: 'view=trend' })).toBe('/posture?view=trend');
  expect(viewPath({ page: 'audit', query: '' })).toBe('/admin?view=audit');
  expect(viewPath({ page: 'certification', query: 'state=0&tag=1' })).toBe(
    '/admin?view=certification&state=0&tag=1',
  );
  for (const page of VIEW_PAGES) {
    const path = viewPath({ page, query: 'zone=1&tag=1' });
    const query = viewQuery(page, path.slice(path.indexOf('?')));
    expect(viewPath({ page, query })).toBe(viewPath({ page, query: viewQuery(page, 'zone=1&tag=1') }));
  }
});
