/** What happens in the service, or a piece of an answer that comes as events. */
export interface ServiceEvent {
  event: string;
  data: unknown;
}
