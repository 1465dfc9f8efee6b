/**
 * The pages, each for one question, in the order of the side bar and of `Alt 1` to `Alt 9`. Routes, menus, keys, the filters of
 * the frame, the pictures of `npm run screenshots`, and the table of `docs/web.md` use these rows; a test compares the table.
 */
import {
  ChartLine,
  Database,
  FileText,
  Flag,
  FlaskConical,
  type IconNode,
  Inbox,
  ListChecks,
  Puzzle,
  Route,
  Settings,
  SquareCheck,
  UserRound,
} from 'lucide';
import { type ComponentType, createElement, lazy } from 'react';
import { numberIn, pathTo } from './address.ts';

/** An address below a page with the id of one item: a separate page, or the page that shows the item. */
export type Detail = { readonly path: string } & (
  | { readonly Page: ComponentType<{ readonly id: string }> }
  | { readonly to: (id: string) => string }
);

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly question: string;
  readonly icon: IconNode;
  /** Loaded on first use. */
  readonly Page: ComponentType;
  readonly details?: readonly Detail[];
  /** Letter that opens the page after `g`. */
  readonly letter?: string;
  /** Whether the page configures the data of other pages. */
  readonly isSetUp?: boolean;
  /** Whether the bar of narrow windows shows the page; other pages are under "More". */
  readonly isInBar?: boolean;
  /** Filters of the frame that affect its answers (in Explore, the sets of objects); other pages only pass them on. */
  readonly filters?: readonly ('env' | 'zone')[];
  /** Permissions, any of which permits using the page. */
  readonly needs: readonly string[];
}

/** @param idOf reads the id in the address */
function detail<Id>(
  path: string,
  load: () => Promise<{ readonly default: ComponentType<{ readonly id: Id }> }>,
  idOf: (text: string) => Id,
): Detail {
  const Loaded = lazy(load);
  return { path, Page: ({ id }) => createElement(Loaded, { id: idOf(id) }) };
}

const asText = (text: string): string => text;

const READ = ['graphdb/Read'];

export const PAGES: readonly PageEntry[] = [
  {
    ...{ path: '/fix', title: 'Fix first', question: 'What do I repair first?', icon: ListChecks },
    ...{ letter: 'f', isInBar: true, filters: ['env', 'zone'], needs: READ },
    Page: lazy(() => import('./pages/fix/FixPage.tsx')),
    details: [detail('/fix/:id', () => import('./pages/fix/RepairPage.tsx'), asText)],
  },
  {
    ...{ path: '/findings', title: 'Findings', question: 'What is open, and what do I open?', icon: Flag },
    ...{ letter: 'i', isInBar: true, filters: ['env', 'zone'], needs: READ },
    Page: lazy(() => import('./pages/findings/FindingsPage.tsx')),
    details: [
      detail('/finding/:id', () => import('./pages/findings/FindingPage.tsx'), numberIn),
      { path: '/type/:id', to: (type) => pathTo('findings', { type }) },
    ],
  },
  {
    ...{ path: '/changes', title: 'What changed', question: 'What is new since my last visit?', icon: Inbox },
    ...{ letter: 'c', filters: ['zone'], needs: READ },
    Page: lazy(() => import('./pages/posture/ChangesPage.tsx')),
  },
  {
    ...{ path: '/explore', title: 'Explore', question: 'How can X reach Y?', icon: Route },
    ...{ letter: 'e', isInBar: true, filters: ['env', 'zone'], needs: READ },
    Page: lazy(() => import('./pages/explore/ExplorePage.tsx')),
    details: [{ path: '/explore/d/:id', to: (id) => pathTo('explore', { drawing: numberIn(id) }) }],
  },
  {
    ...{ path: '/posture', title: 'Posture', question: 'Are we improving, and why?', icon: ChartLine },
    ...{ letter: 'p', isInBar: true, filters: ['env', 'zone'], needs: READ },
    Page: lazy(() => import('./pages/posture/PosturePage.tsx')),
  },
  {
    ...{
      path: '/what-if',
      title: 'What if',
      question: 'What would these changes achieve?',
      icon: FlaskConical,
    },
    ...{ letter: 'w', filters: ['zone'], needs: READ },
    Page: lazy(() => import('./pages/whatIf/WhatIfPage.tsx')),
  },
  {
    ...{ path: '/data', title: 'Data', question: 'Is our data complete and current?', icon: Database },
    ...{ isSetUp: true, filters: ['env'], needs: [...READ, 'graphdb/IngestRead', 'graphdb/IngestManage'] },
    Page: lazy(() => import('./pages/data/DataPage.tsx')),
  },
  {
    ...{ path: '/checks', title: 'Custom checks', question: 'Which custom rules do we check?' },
    ...{ icon: SquareCheck, isSetUp: true, needs: READ },
    Page: lazy(() => import('./pages/checks/ChecksPage.tsx')),
  },
  {
    ...{ path: '/extensions', title: 'Extensions', question: 'Which platforms are supported?' },
    ...{ icon: Puzzle, isSetUp: true, needs: ['opengraph/Read', ...READ] },
    Page: lazy(() => import('./pages/extensions/ExtensionsPage.tsx')),
  },
  {
    ...{ path: '/reports', title: 'Reports', question: 'What can I share with others?', icon: FileText },
    ...{ isSetUp: true, filters: ['env', 'zone'], needs: READ },
    Page: lazy(() => import('./pages/reports/ReportsPage.tsx')),
    details: [detail('/reports/:id', () => import('./pages/reports/KeptReportPage.tsx'), numberIn)],
  },
  {
    ...{ path: '/admin', title: 'Administration', icon: Settings, isSetUp: true },
    ...{ question: 'Which permissions and zones exist?' },
    ...{ needs: ['auth/ReadUsers', 'auth/ManageUsers', 'app/ReadAppConfig', 'audit_log/Read', ...READ] },
    Page: lazy(() => import('./pages/administration/AdministrationPage.tsx')),
  },
];

/** A page for each user, in the user's menu. */
export const PROFILE: PageEntry = {
  ...{ path: '/profile', title: 'Profile', question: 'How do I sign in?', icon: UserRound, needs: [] },
  Page: lazy(() => import('./pages/profile/ProfilePage.tsx')),
};

const beginOf = (path: string): string => `/${path.split('/')[1]}`;

/** @returns the page of the menu for its address, or for the address of one of its items; `undefined` for other addresses */
export const pageOf = (path: string): PageEntry | undefined =>
  PAGES.find((page) => [page, ...(page.details ?? [])].some((one) => beginOf(one.path) === beginOf(path)));
