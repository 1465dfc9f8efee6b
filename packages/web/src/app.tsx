/** Pages by address; without a session the sign-in page is shown in the same place. */
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { numberIn, pathTo } from './address.ts';
import { ProviderTest } from './pages/signIn/ProviderTest.tsx';
import { SignIn } from './pages/signIn/SignIn.tsx';
import { Waiting } from './parts/Answer.tsx';
import { Fault } from './parts/Fault.tsx';
import { useSelf } from './service/self.ts';
import { useSessionToken } from './service/session.ts';
import { landingPath } from './shell/landing.ts';
import { mayUse, PAGES, pageOf } from './shell/pages.ts';
import { Refused } from './shell/Refused.tsx';
import { Shell } from './shell/Shell.tsx';

const DropAnywhere = lazy(() => import('./pages/data/DropAnywhere.tsx'));
const FixPage = lazy(() => import('./pages/fix/FixPage.tsx'));
const RepairPage = lazy(() => import('./pages/fix/RepairPage.tsx'));
const FindingsPage = lazy(() => import('./pages/findings/FindingsPage.tsx'));
const FindingPage = lazy(() => import('./pages/findings/FindingPage.tsx'));
const ExplorePage = lazy(() => import('./pages/explore/ExplorePage.tsx'));
const PosturePage = lazy(() => import('./pages/posture/PosturePage.tsx'));
const ChangesPage = lazy(() => import('./pages/posture/ChangesPage.tsx'));
const WhatIfPage = lazy(() => import('./pages/whatIf/WhatIfPage.tsx'));
const DataPage = lazy(() => import('./pages/data/DataPage.tsx'));
const AdministrationPage = lazy(() => import('./pages/administration/AdministrationPage.tsx'));
const KeptReportPage = lazy(() => import('./pages/reports/KeptReportPage.tsx'));
const ReportsPage = lazy(() => import('./pages/reports/ReportsPage.tsx'));
const ChecksPage = lazy(() => import('./pages/checks/ChecksPage.tsx'));
const ExtensionsPage = lazy(() => import('./pages/extensions/ExtensionsPage.tsx'));
const ProfilePage = lazy(() => import('./pages/profile/ProfilePage.tsx'));

/** Addresses of the public product, as found in tickets. */
const OLDER: Readonly<Record<string, string>> = {
  '/attack-paths': '/findings',
  '/zone-management': '/admin?view=zones',
  '/privilege-zones': '/admin?view=zones',
  '/group-management': '/admin?view=zones',
  '/administration/file-ingest': '/data?view=uploads',
  '/administration/data-quality': '/data',
  '/administration/database-management': '/data?view=clearing',
  '/administration/manage-users': '/admin',
  '/administration/sso-configuration': '/admin?view=sso',
  '/download-collectors': '/data?view=collectors',
  '/my-profile': '/profile',
  '/user-profile': '/profile',
};

export function App() {
  const token = useSessionToken();
  if (token === undefined) return <SignIn />;
  return (
    <Shell>
      <Page />
      <Suspense>
        <DropAnywhere />
      </Suspense>
    </Shell>
  );
}

function Page() {
  const [path] = useLocation();
  const search = useSearch();
  const self = useSelf();
  const page = pageOf(path);
  if (self !== undefined && page !== undefined && !mayUse(self, page))
    // The start page, which no one asked for: users land where they can work.
    return path === PAGES[0].path && search === '' ? (
      <Redirect to={landingPath(self)} replace />
    ) : (
      <Refused page={page} />
    );
  return (
    <Fault key={path}>
      <Suspense
        fallback={
          <div className="page">
            <Waiting what="the page" />
          </div>
        }
      >
        <Switch>
          <Route path="/fix">
            <FixPage />
          </Route>
          <Route path="/fix/:id">{({ id }) => <RepairPage id={decoded(id)} />}</Route>
          <Route path="/findings">
            <FindingsPage />
          </Route>
          <Route path="/changes">
            <ChangesPage />
          </Route>
          <Route path="/finding/:id">{({ id }) => <FindingPage id={numberIn(id)} />}</Route>
          <Route path="/type/:id">
            {({ id }) => <Redirect to={pathTo('findings', { type: decoded(id) })} replace />}
          </Route>
          <Route path="/explore">
            <ExplorePage />
          </Route>
          <Route path="/explore/d/:id">
            {({ id }) => <Redirect to={`/explore?drawing=${numberIn(id)}`} replace />}
          </Route>
          <Route path="/posture">
            <PosturePage />
          </Route>
          <Route path="/what-if">
            <WhatIfPage />
          </Route>
          <Route path="/data">
            <DataPage />
          </Route>
          <Route path="/checks">
            <ChecksPage />
          </Route>
          <Route path="/extensions">
            <ExtensionsPage />
          </Route>
          <Route path="/reports/:id">{({ id }) => <KeptReportPage id={numberIn(id)} />}</Route>
          <Route path="/reports">
            <ReportsPage />
          </Route>
          <Route path="/admin">
            <AdministrationPage />
          </Route>
          <Route path="/profile">
            <ProfilePage />
          </Route>
          <Route path="/sso">
            <ProviderTest />
          </Route>
          {Object.entries(OLDER).map(([older, page]) => (
            <Route key={older} path={older}>
              <Redirect to={page} replace />
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Fault>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function NotFound() {
  return (
    <div className="page">
      <h1>This page does not exist</h1>
      <p>Check the address, or choose a page.</p>
    </div>
  );
}
