// What /metrics reports about requests. Labels are route patterns, never paths, so that their number is bounded.
import { Counter, collectDefaultMetrics, Histogram, type Registry } from 'prom-client';

export interface HttpMetrics {
  observe(method: string, route: string, status: number, durationMs: number): void;
}

const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the HTTP and process metrics; the registry is shared by the whole process. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const labelNames = ['route', 'method', 'status'] as const;
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route pattern, method and status',
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of the request to the last of the answer',
    labelNames,
    buckets: BUCKETS_S,
    registers: [registry],
  });
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });

  // Resolving labels costs more than counting, and there are few combinations.
  const series = new Map<string, { count(): void; time(seconds: number): void }>();
  return {
    observe(method, route, status, durationMs) {
      const key = `${method} ${status} ${route}`;
      let one = series.get(key);
      if (!one) {
        const labels = { route, method, status: String(status) };
        const counter = requests.labels(labels);
        const histogram = durations.labels(labels);
        one = { count: () => counter.inc(), time: (seconds) => histogram.observe(seconds) };
        series.set(key, one);
      }
      one.count();
      one.time(durationMs / 1000);
    },
  };
}
