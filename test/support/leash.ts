// Loaded into a service under test: ends it when the test's process is gone, however that ended.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
  // Only watches: the service ends by itself as it would without it.
  (process.stdin as unknown as { unref(): void }).unref();
}
