/** Administration: permissions, zones, the installation, and the audit log. */
import { Link } from 'wouter';
import { pathTo, useAddress } from '../../address.ts';
import { useNarrow } from '../../parts/useNarrow.ts';
import { useSelf } from '../../service/self.ts';
import { AuditView } from './AuditView.tsx';
import { CertificationView } from './CertificationView.tsx';
import { InstallationView } from './InstallationView.tsx';
import { RolesView } from './RolesView.tsx';
import { SettingsView } from './SettingsView.tsx';
import { SingleSignOnView } from './SingleSignOnView.tsx';
import { TokensView } from './TokensView.tsx';
import { UsersView } from './UsersView.tsx';
import { WebhooksView } from './WebhooksView.tsx';
import { ZonesView } from './ZonesView.tsx';

/** Views with their permissions, any of which suffices. */
const VIEWS = [
  { id: 'users', title: 'Users', needs: ['auth/ReadUsers', 'auth/ManageUsers'] },
  { id: 'roles', title: 'Roles and access', needs: ['auth/ReadUsers', 'auth/ManageUsers'] },
  { id: 'zones', title: 'Zones and labels', needs: ['graphdb/Read'] },
  { id: 'certification', title: 'Certification', needs: ['graphdb/Read'] },
  { id: 'sso', title: 'SSO', needs: ['auth/ReadProviders', 'auth/ManageProviders'] },
  { id: 'tokens', title: 'API tokens', needs: ['auth/ReadUsers', 'auth/ManageUsers'] },
  { id: 'webhooks', title: 'Webhooks', needs: ['app/ReadAppConfig'] },
  { id: 'settings', title: 'Settings', needs: ['app/ReadAppConfig'] },
  { id: 'installation', title: 'Installation', needs: ['app/ReadAppConfig'] },
  { id: 'audit', title: 'Audit log', needs: ['audit_log/Read'] },
] as const;

export default function AdministrationPage() {
  const address = useAddress();
  const self = useSelf();
  const isNarrow = useNarrow();
  // The list omits views that the user may not open; a link to such a view shows the reason.
  const views = VIEWS.filter(({ needs }) => needs.some((permission) => self?.may(permission)));
  const view = address.get('view') ?? views[0]?.id ?? 'zones';
  const pathOf = (id: string): string => pathTo('admin', { view: id });
  return (
    <div className="page">
      <h1>Administration</h1>
      <div className="administration">
        {isNarrow ? (
          <label>
            <span className="unseen">Part of administration</span>
            <select
              value={view}
              onChange={({ target }) => address.set({ view: target.value, skip: undefined, tag: undefined })}
            >
              {views.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <nav className="parts-list" aria-label="Parts of administration">
            {views.map(({ id, title }) => (
              <Link key={id} href={pathOf(id)} aria-current={id === view ? 'page' : undefined}>
                {title}
              </Link>
            ))}
          </nav>
        )}
        <div>
          {view === 'zones' ? (
            <ZonesView address={address} />
          ) : view === 'certification' ? (
            <CertificationView address={address} />
          ) : view === 'roles' ? (
            <RolesView />
          ) : view === 'sso' ? (
            <SingleSignOnView />
          ) : view === 'tokens' ? (
            <TokensView />
          ) : view === 'webhooks' ? (
            <WebhooksView />
          ) : view === 'settings' ? (
            <SettingsView />
          ) : view === 'installation' ? (
            <InstallationView />
          ) : view === 'audit' ? (
            <AuditView address={address} />
          ) : (
            <UsersView />
          )}
        </div>
      </div>
    </div>
  );
}
