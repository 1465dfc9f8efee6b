/** Settings of the embedded PostgreSQL: durable, optimized for bulk writes, with moderate memory. */

export interface EmbeddedTuning {
  /** False only for temporary test databases. */
  readonly durable: boolean;
}

const COMMON: Readonly<Record<string, string>> = {
  // Reachable only through its socket.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '120',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // A merge of a million objects writes 1-2 GB of WAL; checkpoints during the merge would double that.
  max_wal_size: '4GB',
  min_wal_size: '160MB',
  checkpoint_timeout: '15min',
  // No replica streams from this database.
  wal_level: 'minimal',
  max_wal_senders: '0',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  // Containers often have a /dev/shm of 64 MB, too small for a parallel hash join.
  dynamic_shared_memory_type: 'mmap',
  autovacuum_naptime: '15s',
};

const DURABLE = { shared_buffers: '256MB', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const THROW_AWAY = {
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The launcher visits each database in this time; those of tests live for seconds.
  autovacuum_naptime: '10min',
};

/** @returns arguments of `postgres` */
export function serverArguments(
  dataDirectory: string,
  socketDirectory: string,
  tuning: EmbeddedTuning,
): string[] {
  const settings = {
    ...COMMON,
    ...(tuning.durable ? DURABLE : THROW_AWAY),
    unix_socket_directories: socketDirectory,
  };
  return [
    '-D',
    dataDirectory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
