/**
 * Writes the files of several tenants on one machine or cluster: one process, database, key and host name for each (docs/operations.md#tenants).
 * It needs only Node.js.
 *
 * Usage: node tenants.mjs --domain clew.example --out DIRECTORY [--names FILE] [--image IMAGE] [--memory 2] [--first-port 8101] [NAME...]
 *
 * Without names, it uses the 20 of names.txt. A name keeps its port if new names are added at the end of the file.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = dirname(fileURLToPath(import.meta.url));
/** A label of a host name, which is also the name of a namespace (RFC 1123). */
const NAME = /^[a-z0-9]([a-z0-9-]{0,47}[a-z0-9])?$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const IMAGE = /^[\w][\w./:@-]{0,255}$/;
const MAX_TENANTS = 500;
const MAX_PORT = 65535;

const HEALTH =
  "fetch('http://127.0.0.1:8080/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))";

const fail = (message) => {
  process.stderr.write(`tenants: ${message}\n`);
  process.exit(2);
};

const { values, positionals } = readArguments();
const { domain, image, out } = values;
const names = positionals.length > 0 ? positionals : namesIn(values.names);
const firstPort = whole('first-port', 1024, MAX_PORT);
const memory = whole('memory', 1, 1024);
check();

const tenants = names.map((name, at) => ({ name, host: `${name}.${domain}`, port: firstPort + at }));
mkdirSync(out, { recursive: true });
write('compose.yaml', compose());
write('nginx.conf', nginx());
write('kubernetes.yaml', tenants.map(namespace).join('---\n'));
makeSecrets();
process.stdout.write(
  `${tenants.length} tenants: compose.yaml, nginx.conf, kubernetes.yaml and secrets/ in ${out}\n`,
);

function readArguments() {
  const option = (fallback) => ({ type: 'string', default: fallback });
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        domain: option('clew.example'),
        out: { type: 'string' },
        names: option(join(HERE, 'names.txt')),
        image: option('clew:0.2.0'),
        memory: option('2'),
        'first-port': option('8101'),
      },
    });
  } catch (error) {
    return fail(error.message);
  }
}

function namesIn(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  } catch (error) {
    return fail(error.message);
  }
}

function whole(option, least, most) {
  const value = Number(values[option]);
  return Number.isInteger(value) && value >= least && value <= most
    ? value
    : fail(`--${option} must be a number from ${least} to ${most}`);
}

function check() {
  if (out === undefined) fail('--out names the directory for the files');
  if (!DOMAIN.test(domain)) fail('--domain must be a domain in lower case, such as clew.example');
  if (!IMAGE.test(image)) fail('--image must be the name of an image, such as clew:0.2.0');
  if (names.length === 0 || names.length > MAX_TENANTS) fail(`name 1 to ${MAX_TENANTS} tenants`);
  const wrong = names.filter((name) => !NAME.test(name));
  if (wrong.length > 0)
    fail(
      `${JSON.stringify(wrong[0])} cannot be part of a host name: use lower-case letters, digits and hyphens`,
    );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) fail(`${twice} is named twice`);
  if (firstPort + names.length - 1 > MAX_PORT) fail('there are not enough ports after --first-port');
}

function write(name, text) {
  writeFileSync(join(out, name), text);
}

/** Existing secrets stay: a database cannot be read with another key. */
function makeSecrets() {
  for (const { name } of tenants) {
    const directory = join(out, 'secrets', name);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    chmodSync(join(out, 'secrets'), 0o700);
    for (const secret of ['secret-key', 'metrics-token']) {
      const file = join(directory, secret);
      // The user of the container reads them; others cannot enter the directory above.
      if (!existsSync(file))
        writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o644, flag: 'wx' });
    }
  }
}

function compose() {
  const service = ({ name, host, port }) => `  ${name}:
    <<: *clew
    volumes: ["${name}:/var/lib/clew"]
    ports: ["127.0.0.1:${port}:8080"]
    environment:
      <<: *settings
      CLEW_PUBLIC_URL: https://${host}
    secrets:
      - { source: ${name}-secret-key, target: clew-secret-key }
      - { source: ${name}-metrics-token, target: clew-metrics-token }
    networks: [${name}]
`;
  // Networks without an address range get one of the few default ranges, and only the first 14 are in the trusted one.
  const network = ({ name }, at) =>
    `  ${name}: { ipam: { config: [{ subnet: "172.30.${at >> 4}.${(at & 15) * 16}/28" }] } }\n`;
  return `# Written by tenants.mjs: one process with its own database for each tenant, behind nginx.conf (docs/operations.md#tenants).
name: clew-tenants
x-settings: &settings
  CLEW_HOST: 0.0.0.0
  CLEW_DATA_DIR: /var/lib/clew
  # The proxy in front, as a container sees it: the first address of its network.
  CLEW_TRUSTED_PROXIES: 172.30.0.0/16
  # The tenants share the disk.
  CLEW_MAX_WAITING_UPLOADS: 4GiB
  CLEW_SECRET_KEY_FILE: /run/secrets/clew-secret-key
  CLEW_METRICS_TOKEN_FILE: /run/secrets/clew-metrics-token
x-clew: &clew
  image: ${image}
  user: "65532:65532"
  read_only: true
  cap_drop: [ALL]
  security_opt: ["no-new-privileges:true"]
  tmpfs: ["/tmp:size=256m,mode=1777"]
  healthcheck:
    test:
      - CMD
      - /opt/clew/runtime/node
      - -e
      - "${HEALTH}"
    interval: 30s
    timeout: 5s
    retries: 3
    start_period: 120s
  restart: unless-stopped
  stop_grace_period: 90s
  # Equal shares: a tenant that ingests takes what others leave.
  cpu_shares: 1024
  pids_limit: 500
  deploy:
    resources:
      limits: { memory: ${memory}g }
services:
${tenants.map(service).join('')}volumes:
${tenants.map(({ name }) => `  ${name}: {}\n`).join('')}# A network of its own: a tenant reaches the outside, and no other tenant.
networks:
${tenants.map(network).join('')}secrets:
${tenants
  .flatMap(({ name }) =>
    ['secret-key', 'metrics-token'].map(
      (secret) => `  ${name}-${secret}: { file: ./secrets/${name}/${secret} }\n`,
    ),
  )
  .join('')}`;
}

function nginx() {
  const upstream = ({ name, port }) => `upstream clew-${name} {
  server 127.0.0.1:${port};
  keepalive 16;
}
`;
  return `# Written by tenants.mjs: a host name for each tenant (docs/operations.md#tenants). Included in http { }.
# The certificate is one for *.${domain}.
${tenants.map(upstream).join('')}map_hash_bucket_size 512;
map $host $clew_tenant {
  default "";
${tenants.map(({ name, host }) => `  ${host} clew-${name};\n`).join('')}}
# One tenant keeps at most this many connections to the proxy busy.
limit_conn_zone $clew_tenant zone=clew_tenants:1m;
limit_conn_status 503;
server {
  listen 80 default_server;
  listen [::]:80 default_server;
  server_name _;
  return 308 https://$host$request_uri;
}
server {
  listen 443 ssl default_server;
  listen [::]:443 ssl default_server;
  server_name _;
  ssl_certificate /etc/nginx/tls/clew.crt;
  ssl_certificate_key /etc/nginx/tls/clew.key;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:clew:4m;
  add_header Strict-Transport-Security "max-age=31536000" always;

  # A host name of no tenant reaches no process.
  if ($clew_tenant = "") {
    return 421;
  }
  location / {
    proxy_pass http://$clew_tenant;
    limit_conn clew_tenants 200;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    # One address alone: a client cannot claim another one.
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    # The service has its own limits, and says which one refused a request.
    client_max_body_size 0;
    # Uploads and exports are streams.
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_read_timeout 10m;
    proxy_send_timeout 10m;
  }
}
`;
}

function namespace({ name, host }) {
  const metadata = (kind) =>
    `metadata: { name: ${kind}, namespace: clew-${name}, labels: { app: clew, tenant: ${name} } }`;
  return `# Written by tenants.mjs. Each namespace needs two Secrets: "clew-tls" with its certificate, and "clew" with its keys:
# kubectl -n clew-${name} create secret generic clew --from-file=secrets/${name}
apiVersion: v1
kind: Namespace
metadata: { name: clew-${name}, labels: { app: clew, tenant: ${name}, pod-security.kubernetes.io/enforce: restricted } }
---
# What a tenant takes from the cluster at most.
apiVersion: v1
kind: ResourceQuota
${metadata('clew')}
spec:
  hard: { pods: "3", limits.memory: ${2 * memory}Gi, requests.storage: 20Gi }
---
apiVersion: v1
kind: PersistentVolumeClaim
${metadata('clew')}
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 10Gi } }
---
apiVersion: apps/v1
kind: Deployment
${metadata('clew')}
spec:
  replicas: 1
  # One process at a time uses the volume.
  strategy: { type: Recreate }
  selector: { matchLabels: { app: clew, tenant: ${name} } }
  template:
    metadata:
      labels: { app: clew, tenant: ${name} }
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 90
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        # Otherwise each start makes the files of the database writable for the group, and PostgreSQL refuses them.
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: clew
          image: ${image}
          env:
            - { name: CLEW_HOST, value: 0.0.0.0 }
            - { name: CLEW_DATA_DIR, value: /var/lib/clew/data }
            - { name: CLEW_PUBLIC_URL, value: "https://${host}" }
            # The ingress, as the pods see it: the networks of your cluster.
            - { name: CLEW_TRUSTED_PROXIES, value: 10.0.0.0/8 }
            - { name: CLEW_SECRET_KEY_FILE, value: /run/secrets/clew/secret-key }
            - { name: CLEW_METRICS_TOKEN_FILE, value: /run/secrets/clew/metrics-token }
          ports:
            - { name: http, containerPort: 8080 }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          startupProbe: { httpGet: { path: /readyz, port: http }, failureThreshold: 120, periodSeconds: 5 }
          readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 10, timeoutSeconds: 5 }
          livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 }
          resources:
            requests: { cpu: 100m, memory: 512Mi }
            limits: { memory: ${memory}Gi }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /var/lib/clew }
            - { name: secrets, mountPath: /run/secrets/clew, readOnly: true }
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 1Gi } }
        - { name: data, persistentVolumeClaim: { claimName: clew } }
        - { name: secrets, secret: { secretName: clew, defaultMode: 288 } }
---
apiVersion: v1
kind: Service
${metadata('clew')}
spec:
  selector: { app: clew, tenant: ${name} }
  ports:
    - { name: http, port: 80, targetPort: http }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: clew
  namespace: clew-${name}
  labels: { app: clew, tenant: ${name} }
  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: "0"
    nginx.ingress.kubernetes.io/proxy-request-buffering: "off"
    nginx.ingress.kubernetes.io/proxy-read-timeout: "600"
spec:
  ingressClassName: nginx
  tls:
    - hosts: ["${host}"]
      secretName: clew-tls
  rules:
    - host: "${host}"
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: clew, port: { name: http } } }
---
# Requests come from the ingress and from Prometheus; a tenant reaches name servers and the web, and no other tenant.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
${metadata('clew')}
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ingress-nginx } }
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } }
      ports:
        - { protocol: TCP, port: 8080 }
  egress:
    - ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
    - ports:
        - { protocol: TCP, port: 443 }
`;
}
