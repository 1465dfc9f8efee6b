/** Administration: who may do what, what is protected, and what was done. */
import { useAddress } from '../../address.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { useSelf } from '../../service/self.ts';
import { AuditView } from './AuditView.tsx';
import { CertificationView } from './CertificationView.tsx';
import { SettingsView } from './SettingsView.tsx';
import { SingleSignOnView } from './SingleSignOnView.tsx';
import { UsersView } from './UsersView.tsx';
import { ZonesView } from './ZonesView.tsx';

const VIEWS = [
  { id: 'users', title: 'Users', needs: 'auth/ReadUsers' },
  { id: 'zones', title: 'Zones', needs: 'graphdb/Read' },
  { id: 'certification', title: 'Certification', needs: 'graphdb/Read' },
  { id: 'sso', title: 'Single sign-on', needs: 'auth/ReadProviders' },
  { id: 'settings', title: 'Settings', needs: 'app/ReadAppConfig' },
  { id: 'audit', title: 'Audit', needs: 'audit_log/Read' },
] as const;

export default function AdministrationPage() {
  const address = useAddress();
  const self = useSelf();
  // A view that would be refused has no tab; a link to it says why.
  const views = VIEWS.filter(({ needs }) => self?.may(needs) || self?.may(needs.replace('Read', 'Manage')));
  const view = address.get('view') ?? views[0]?.id ?? 'zones';
  return (
    <div className="page">
      <h1>Administration</h1>

      <Tabs
        views={[{ id: views[0]?.id ?? 'zones', title: views[0]?.title ?? 'Zones' }, ...views.slice(1)]}
        current={view}
        label="Views of administration"
      />

      {view === 'zones' ? (
        <ZonesView address={address} />
      ) : view === 'certification' ? (
        <CertificationView address={address} />
      ) : view === 'sso' ? (
        <SingleSignOnView />
      ) : view === 'settings' ? (
        <SettingsView />
      ) : view === 'audit' ? (
        <AuditView address={address} />
      ) : (
        <UsersView />
      )}
    </div>
  );
}
