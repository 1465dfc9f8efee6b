/** Starts the interface. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { App } from './app.tsx';
import { isExact, withScope } from './scope.ts';
import { queryClient } from './service/queries.ts';
import { applyDensity, applyTheme } from './shell/theme.ts';
import { realSearch, shownAddress } from './text/addressKeys.ts';
import './styles/tokens.css';
import './styles/fonts.css';
import './styles/app.css';
import './styles/shell.css';
import './styles/paths.css';
import './styles/fix.css';
import './styles/finding.css';
import './styles/explore.css';
import './styles/posture.css';
import './styles/reports.css';
import './styles/setUp.css';
import './styles/checks.css';

const root = new URL(document.baseURI).pathname;
if ([root, `${root}ui`, `${root}ui/`].includes(location.pathname))
  history.replaceState(null, '', `${root}ui/fix${location.search}`);

/** Masked addresses have keys instead of some ids. */
const useRealSearch = (): string => realSearch(useSearch());

applyTheme();
applyDensity();
createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queryClient}>
    <Router
      base={`${root}ui`}
      searchHook={useRealSearch}
      hrefs={(target) => shownAddress(withScope(target, location.search))}
      aroundNav={(navigate, to, options) =>
        navigate(
          shownAddress(isExact(options) ? String(to) : withScope(String(to), location.search)),
          options,
        )
      }
    >
      <App />
    </Router>
  </QueryClientProvider>,
);
