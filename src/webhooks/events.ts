// The events that a site's webhooks can receive (decisions.md, section 11), and the door for events that do not come
// from the log. Names are part of the API: add, never rename.

export type WebhookEventName =
  | 'content.created'
  | 'content.updated'
  | 'content.renamed'
  | 'content.published'
  | 'content.unpublished'
  | 'content.archived'
  | 'content.deleted'
  | 'content.restored'
  | 'form.submitted'
  | 'media.uploaded'
  | 'media.deleted'
  | 'deploy.started'
  | 'deploy.success'
  | 'deploy.failure'
  | 'backup.completed'
  | 'backup.failed'
  | 'agent.completed'
  | 'agent.failed';

export interface EventActor {
  /** `user`, `ai`, `import` or `system`; `visitor` for a form. */
  kind: string;
  id?: string;
  name?: string;
  /** `push`: the name is what the commit says; `pushedBy` is the account that pushed it through the service. */
  via?: 'push';
  pushedBy?: string;
}

export interface NewEvent {
  event: WebhookEventName;
  actor: EventActor;
  /** JSON, without secrets: it leaves the service. */
  data: object;
  at?: Date;
  /** Events of one key reach a webhook in order. Default: the event's name. */
  key?: string;
  /** Must be stable if the same event may be emitted twice. Random if absent. */
  id?: string;
}

export interface Events {
  /** Resolves once durable; at once if no webhook wants the event. @throws ServiceError `storage_full` */
  emit(event: NewEvent): Promise<void>;
}
