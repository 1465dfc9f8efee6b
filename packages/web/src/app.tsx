/** Maps addresses to pages; without a session, the sign-in page is shown instead. */
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { OLDER_PATHS, pageOfOlder } from './olderPages.ts';
import { type Detail, PAGES, PROFILE, pageOf } from './pageRows.ts';
import { Authorize } from './pages/signIn/Authorize.tsx';
import { ProviderTest } from './pages/signIn/ProviderTest.tsx';
import { SignIn } from './pages/signIn/SignIn.tsx';
import { Waiting } from './parts/Answer.tsx';
import { Fault } from './parts/Fault.tsx';
import { useSelf } from './service/self.ts';
import { useSessionToken } from './service/session.ts';
import { landingPath } from './shell/landing.ts';
import { Refused } from './shell/Refused.tsx';
import { Shell } from './shell/Shell.tsx';
import { mayUse } from './shell/usePages.ts';

const DropAnywhere = lazy(() => import('./pages/data/DropAnywhere.tsx'));
export function App() {
  const token = useSessionToken();
  const [path] = useLocation();
  if (token === undefined) return <SignIn />;
  if (path === '/authorize') return <Authorize />;
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
    // The start page was not requested explicitly, so users land on the first page that they may use.
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
          {[...PAGES, PROFILE].flatMap(({ path, Page, details = [] }) => [
            <Route key={path} path={path}>
              <Page />
            </Route>,
            ...details.map((detail) => (
              <Route key={detail.path} path={detail.path}>
                {({ id }: { readonly id?: string }) => <Thing detail={detail} id={decoded(id)} />}
              </Route>
            )),
          ])}
          <Route path="/sso">
            <ProviderTest />
          </Route>
          {OLDER_PATHS.map((older) => (
            <Route key={older} path={older}>
              <Redirect to={pageOfOlder(older, search)} replace />
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

function Thing({ detail, id }: { readonly detail: Detail; readonly id: string }) {
  return 'to' in detail ? <Redirect to={detail.to(id)} replace /> : <detail.Page id={id} />;
}

function decoded(text = ''): string {
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
