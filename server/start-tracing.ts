import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { traceWith } from './tracing';

/** Interval between two sends. Spans that an unreachable collector does not take are dropped. */
const SENT_EACH_MS = 2_000;

/**
 * Sends spans to an OpenTelemetry collector, as OTLP over HTTP in JSON, at `endpoint` +
 * `/v1/traces`. The exporter itself reads its own variables, such as OTEL_EXPORTER_OTLP_HEADERS.
 */
export function startTracing(o: { endpoint: string; serviceName: string; network: string }): void {
  const exporter = new OTLPTraceExporter({ url: `${o.endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': o.serviceName,
      'deployment.environment.name': o.network,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SENT_EACH_MS })],
  });
  traceWith(provider.getTracer('quittance'));
}
